import { turn as turnById } from "@retake/core";
import { client } from "../data/connection.ts";
import type { Session } from "../data/session.ts";
import { useAnswer } from "../data/use-answer.ts";
import { uncoverCentre } from "../data/view-state.ts";
import type { Writers } from "./diff-lines.tsx";

const WORDS = { between: "outside", before: "older" } as const;

/** Which turn wrote each line of a file at a moment; asked for only where it is wanted. */
export function useWriters(
  session: Session,
  { path, at, isWanted, version }: FileAt,
): { readonly writers: Writers | undefined; readonly failure: string | undefined } {
  const { thread } = session;
  const { answer, failure } = useAnswer(
    async () => (isWanted ? client.blameFile(thread, { path, at }) : undefined),
    [thread, path, at, isWanted, version],
  );
  if (!isWanted || !answer) return { writers: undefined, failure };
  const of = (line: number) => {
    const run = answer.lines.find(({ start, lines }) => line >= start && line < start + lines);
    if (!run) return undefined;
    return run.by === "turn" ? { name: run.turn_name ?? "", turn: run.turn_id } : { name: WORDS[run.by] };
  };
  return { writers: { of, onTurn: (turn) => goToTurn(session, turn) }, failure: undefined };
}

interface FileAt {
  readonly path: string;
  readonly at: string;
  readonly isWanted: boolean;
  readonly version: number | undefined;
}

function goToTurn(session: Session, turn: string): void {
  const { view } = session.store.value;
  const prompt = view && turnById(view.state, view.take, turn)?.prompt_entry;
  uncoverCentre();
  // The row takes the focus where nothing else has it.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  if (prompt === undefined) session.target.set(turn);
  else void session.goTo(prompt);
}
