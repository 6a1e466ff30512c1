import { lastRedoable } from "@retake/core";
import { redo } from "../commands/history-commands.ts";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { showTab } from "../data/view-state.ts";
import { Icon } from "../parts/icon.tsx";

/** Stays until the next change: something was undone and can be brought back. */
export function RedoDock({ session }: { readonly session: Session }) {
  const can = useStore(session.store, ({ view }) => view && lastRedoable(view.state, view.take) !== undefined);
  if (!can) return null;
  return (
    <section className="redo-dock" aria-label="Undone">
      <Icon name="undo" />
      <p>Undone. Nothing is lost.</p>
      <button type="button" className="small-button" onClick={() => showTab("history")}>
        Show
      </button>
      <button type="button" className="small-button strong" onClick={() => void redo(session.thread)}>
        <Icon name="redo" /> Bring back
      </button>
    </section>
  );
}
