import { baseName, liveTakes, runningTurn, type Take } from "@retake/core";
import { useState } from "react";
import { switchTake } from "../commands/history-commands.ts";
import { runSlash } from "../commands/slash.ts";
import { deleteTake, promoteTake, renameTake } from "../commands/thread-commands.ts";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { NameForm } from "../parts/name-form.tsx";

/** The takes of the thread as tabs, those of one base name together. Choosing one brings its files along. */
export function Takes({ session }: { readonly session: Session }) {
  const view = useStore(session.store, (state) => state.view);
  const [naming, setNaming] = useState<{ readonly take: Take; readonly how: "rename" | "promote" }>();
  if (!view) return null;
  const { thread } = session;
  const list = liveTakes(view.state).toSorted((a, b) => order(a, b));
  const active = list.find(({ id }) => id === view.take);
  const busy = runningTurn(view.state, view.take) !== undefined;
  return (
    <div className="takes-bar">
      <div role="tablist" aria-label="Takes" className="takes">
        {list.map((take, index) => (
          <button
            key={take.id}
            type="button"
            role="tab"
            aria-selected={take.id === view.take}
            tabIndex={take.id === view.take ? 0 : -1}
            className="take"
            title={`Take ${take.name}: the conversation and files of this line`}
            onClick={() => take.id !== view.take && void switchTake(thread, take.id, take.name)}
            onKeyDown={(event) => {
              const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
              if (step === 0) return;
              event.preventDefault();
              const tabs = event.currentTarget.parentElement?.children ?? [];
              (tabs[(index + step + list.length) % list.length] as HTMLElement | undefined)?.focus();
            }}
          >
            {shortName(take.name)}
            {busy && take.id === view.take && <span className="dot" aria-label="runs" role="img" />}
          </button>
        ))}
      </div>
      <button
        type="button"
        className="small-button new-take"
        aria-label="New take"
        title="Another line of this thread from the focused or last entry on, with files of its own (b)"
        onClick={() => void runSlash(session, "/branch")}
      >
        <Icon name="branch" /> <span>New take</span>
      </button>
      {active && (
        <Menu
          label={`More for take ${active.name}`}
          items={[
            { label: "Rename take", icon: "edit", run: () => setNaming({ take: active, how: "rename" }) },
            {
              label: "Promote to a name of its own",
              icon: "pin",
              run: () => setNaming({ take: active, how: "promote" }),
            },
            {
              label: "Delete take",
              icon: "trash",
              disabled: list.length < 2,
              run: () => void deleteTake(thread, active.id),
            },
          ]}
        />
      )}
      {naming && (
        <NameForm
          title={naming.how === "rename" ? "Rename the take" : "Promote the take"}
          value={naming.take.name}
          onClose={() => setNaming(undefined)}
          onName={(name) => (naming.how === "rename" ? renameTake : promoteTake)(thread, naming.take.id, name)}
        />
      )}
    </div>
  );
}

function order(a: Take, b: Take): number {
  const names = baseName(a.name).localeCompare(baseName(b.name));
  return names || a.since - b.since;
}

/** A take named after its siblings shows only what tells it apart. */
function shortName(name: string): string {
  const [base = name, number] = name.split("_take_");
  return number === undefined ? base : `${base} ${number}`;
}
