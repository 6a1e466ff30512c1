import { preview } from "@retake/core";
import { useEffect } from "react";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { Icon } from "../parts/icon.tsx";
import { forgetPrompt, sentPrompts } from "./sent-prompts.ts";

/** Prompts whose turns were not started, and why. An empty field gets its prompt back at once. */
export function NotStarted({
  session,
  isEmpty,
  onBack,
}: {
  readonly session: Session;
  /** Whether the draft is known and empty. */
  readonly isEmpty: () => boolean;
  readonly onBack: (prompt: string, failure?: string) => void;
}) {
  const isLoaded = useStore(session.store, ({ view }) => view !== undefined);
  const all = useStore(sentPrompts);
  const list = all.filter(({ thread, failure }) => thread === session.thread && failure !== undefined);
  const [first] = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it fails: a field that is emptied later stays empty
  useEffect(() => {
    if (!first || !isEmpty()) return;
    forgetPrompt(first.turn);
    onBack(first.prompt, first.failure);
  }, [first?.turn, isLoaded]);
  return list.map(({ turn, prompt, failure }) => (
    <section key={turn} role="alert" className="retry-dock" aria-label="Not started">
      <Icon name="warning" />
      <p>
        <strong>{preview({ content: prompt }, 40)}</strong> {`was not started. ${failure}`}
      </p>
      <button
        type="button"
        className="small-button strong"
        onClick={() => {
          forgetPrompt(turn);
          onBack(prompt);
        }}
      >
        Put it back into the prompt
      </button>
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => forgetPrompt(turn)}>
        <Icon name="close" />
      </button>
    </section>
  ));
}
