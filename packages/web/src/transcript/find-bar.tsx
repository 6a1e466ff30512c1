import { useEffect, useState } from "react";
import { focusFindBar, overlay } from "../commands/overlay.ts";
import { client } from "../data/connection.ts";
import { messageOf, type Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { Icon } from "../parts/icon.tsx";
import { useReturnFocus } from "../parts/use-return-focus.ts";

type Match = Awaited<ReturnType<typeof client.findInThread>>["matches"][number];

/** Finds in the whole thread: the server looks, so the count is right whatever is loaded. */
export function FindBar({ session }: { readonly session: Session }) {
  const open = useStore(overlay) === "find";
  const [words, setWords] = useState("");
  const [matches, setMatches] = useState<readonly Match[]>();
  const [failure, setFailure] = useState<string>();
  const [at, setAt] = useState(0);
  useReturnFocus(open);
  useEffect(() => {
    if (open) focusFindBar();
  }, [open]);
  useEffect(() => {
    if (!open || words.trim() === "") return setMatches(undefined);
    let gone = false;
    const timer = setTimeout(() => {
      client
        .findInThread(session.thread, { q: words })
        .then((found) => {
          if (gone) return;
          setFailure(undefined);
          setMatches(found.matches);
          setAt(Math.max(0, found.matches.length - 1));
        })
        .catch((error) => !gone && setFailure(messageOf(error)));
    }, 150);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [open, words, session]);
  const match = matches?.[at];
  useEffect(() => {
    if (!match) return;
    const { view } = session.store.value;
    const { id, order } = match;
    if (view && view.state.spaces.get(view.take)?.entries.get(id) === undefined)
      session.show({ from: order, to: order, groups: view.groups, more_before: 150, more_after: 150 });
    session.target.set(id);
  }, [match, session]);
  if (!open) return null;
  const count = matches?.length ?? 0;
  const step = (by: number) => count > 0 && setAt((at + by + count) % count);
  return (
    <search className="find-bar">
      <Icon name="search" />
      <input
        type="search"
        aria-label="Find in this thread"
        placeholder="Find in this thread"
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") overlay.set(undefined);
        }}
      />
      <output aria-live="polite">{failure ?? (matches ? (count === 0 ? "None" : `${at + 1} of ${count}`) : "")}</output>
      <button type="button" className="icon-button" aria-label="Previous match" onClick={() => step(-1)}>
        <Icon name="chevron" className="-rotate-90" />
      </button>
      <button type="button" className="icon-button" aria-label="Next match" onClick={() => step(1)}>
        <Icon name="chevron" className="rotate-90" />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label="Close the search"
        onClick={() => overlay.set(undefined)}
      >
        <Icon name="close" />
      </button>
    </search>
  );
}
