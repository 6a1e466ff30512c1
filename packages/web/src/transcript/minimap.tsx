import { preview, promptEntryId } from "@retake/core";
import { useMemo } from "react";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { focusStore } from "../data/view-state.ts";

const MOST_MARKS = 120;

/** One mark a turn, in the order of the conversation. It is made from turns, so it is complete whatever is loaded. */
export function Minimap({ session, onJump }: { readonly session: Session; readonly onJump: () => void }) {
  const turns = useStore(session.store, (state) => state.turns);
  const focused = useStore(focusStore, (focus) => focus?.turn);
  const marks = useMemo(() => {
    const begun = turns.filter(({ status }) => !["queued", "paused", "not-started"].includes(status));
    const step = Math.max(1, Math.ceil(begun.length / MOST_MARKS));
    return begun.filter((_, index) => index % step === 0 || index === begun.length - 1);
  }, [turns]);
  if (marks.length < 2) return <div className="minimap" />;
  return (
    <nav className="minimap" aria-label="Turns">
      {marks.map(({ id, name, prompt, status }, index) => (
        <button
          key={id}
          type="button"
          className={`mark ${status}`}
          aria-current={id === focused ? "true" : undefined}
          aria-label={`Go to turn ${name ?? ""}: ${preview({ content: prompt })}`}
          title={`${name ?? ""} ${preview({ content: prompt })}`}
          tabIndex={index === marks.length - 1 ? 0 : -1}
          onKeyDown={(event) => {
            const sibling =
              event.key === "ArrowDown"
                ? "nextElementSibling"
                : event.key === "ArrowUp"
                  ? "previousElementSibling"
                  : undefined;
            if (!sibling) return;
            event.preventDefault();
            event.stopPropagation();
            (event.currentTarget[sibling] as HTMLElement | null)?.focus();
          }}
          onClick={() => {
            onJump();
            const { view } = session.store.value;
            const loaded = view && view.state.spaces.get(view.take)?.entries.get(promptEntryId(id)) !== undefined;
            const later = turns[turns.findIndex((turn) => turn.id === id) + 20];
            if (!loaded) session.show(later ? { before: promptEntryId(later.id), count: 300 } : { last: 300 });
            session.target.set(id);
          }}
        />
      ))}
    </nav>
  );
}
