import { runningTurn, type Take } from "@retake/core";
import { useEffect, useRef, useState } from "react";
import { deleteTake, switchTake } from "../commands/history-commands.ts";
import { runSlash } from "../commands/slash.ts";
import { promoteTake, renameTake } from "../commands/thread-commands.ts";
import { useTitle } from "../data/key-choices.ts";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { NameForm } from "../parts/name-form.tsx";
import { takesInOrder } from "../takes/takes-in-order.ts";

/** The takes of the thread as tabs, those of one base name together. Choosing one brings its files along. */
export function Takes({ session }: { readonly session: Session }) {
  const { store, thread } = session;
  // Records of the thread: not another object while the text of an answer grows.
  const records = useStore(store, ({ view }) => view?.state.thread);
  const chosen = useStore(store, ({ view }) => view?.take);
  const busy = useStore(store, ({ view }) => view && runningTurn(view.state, view.take) !== undefined);
  const [naming, setNaming] = useState<{ readonly take: Take; readonly how: "rename" | "promote" }>();
  const newTitle = useTitle(
    "Another line of this thread from the focused or last entry on, with files of its own",
    "branch",
  );
  const tabs = useRef<HTMLDivElement>(null);
  // Also when there is less room. Records of the thread are its takes and their names.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another take is chosen, or the tabs are others
  useEffect(() => {
    const { current } = tabs;
    const observer = new ResizeObserver(() =>
      current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" }),
    );
    if (current) observer.observe(current);
    return () => observer.disconnect();
  }, [chosen, records]);
  const { view } = store.value;
  if (!view || !records) return null;
  const list = takesInOrder(view.state);
  const active = list.find(({ id }) => id === chosen);
  return (
    <div className="takes-bar">
      <div ref={tabs} role="tablist" aria-label="Takes" className="takes">
        {list.map((take, index) => (
          <button
            key={take.id}
            type="button"
            role="tab"
            aria-selected={take.id === chosen}
            tabIndex={take.id === chosen ? 0 : -1}
            className="take"
            title={`Take ${take.name}: the conversation and files of this line`}
            onClick={() => void switchTake(thread, take.id, take.name)}
            onKeyDown={(event) => {
              const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
              if (step === 0) return;
              event.preventDefault();
              const all = event.currentTarget.parentElement?.children ?? [];
              (all[(index + step + list.length) % list.length] as HTMLElement | undefined)?.focus();
            }}
          >
            <span>{take.name}</span>
            {busy && take.id === chosen && <span className="dot" aria-label="runs" role="img" />}
          </button>
        ))}
      </div>
      <button
        type="button"
        className="small-button new-take"
        aria-label="New take"
        title={newTitle}
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
              run: () => void deleteTake(thread, active.id, active.name),
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
