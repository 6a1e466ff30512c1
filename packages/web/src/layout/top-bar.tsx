import { activeTake, liveTakes, runningTurn } from "@retake/core";
import { client } from "../data/connection.ts";
import { startPlan } from "../data/plan.ts";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { threads } from "../data/threads.ts";
import { changePanels, panels, showTab } from "../data/view-state.ts";
import { Icon } from "../parts/icon.tsx";

/** The thread's title, its takes, and undo and redo. */
export function TopBar({ session }: { readonly session: Session }) {
  const view = useStore(session.store, (state) => state.view);
  const title = useStore(threads, ({ list }) => list?.find(({ id }) => id === session.thread)?.title);
  const { sidebar, inspector } = useStore(panels);
  const { thread } = session;
  const running = view !== undefined && runningTurn(view.state, view.take) !== undefined;
  const undo = () =>
    startPlan({
      title: "Undo 1 turn",
      scopes: true,
      prompts: true,
      call: (options) => client.undo(thread, { turns: 1, ...options } as never),
    });
  const redo = () => startPlan({ title: "Bring back", call: (options) => client.redo(thread, options as never) });
  return (
    <header className="top-bar">
      <button
        type="button"
        className="icon-button"
        aria-label={sidebar ? "Hide the threads" : "Show the threads"}
        aria-pressed={sidebar}
        onClick={() => changePanels({ sidebar: !sidebar })}
      >
        <Icon name="sidebar" />
      </button>
      <h1 className="min-w-0 truncate text-sm font-semibold">{title ?? "…"}</h1>
      <div role="tablist" aria-label="Takes" className="takes">
        {view &&
          liveTakes(view.state).map(({ id, name }) => (
            <button key={id} type="button" role="tab" aria-selected={id === activeTake(view.state)} className="take">
              {name}
            </button>
          ))}
      </div>
      <div className="ml-auto flex items-center gap-1">
        <button type="button" className="button" disabled={running} onClick={() => void undo()}>
          <Icon name="undo" /> Undo
        </button>
        <button type="button" className="button" disabled={running} onClick={() => void redo()}>
          <Icon name="redo" /> Redo
        </button>
        <button type="button" className="button" onClick={() => showTab("history")}>
          <Icon name="clock" /> History
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={inspector ? "Hide the inspector" : "Show the inspector"}
          aria-pressed={inspector}
          onClick={() => changePanels({ inspector: !inspector })}
        >
          <Icon name="inspector" />
        </button>
      </div>
    </header>
  );
}
