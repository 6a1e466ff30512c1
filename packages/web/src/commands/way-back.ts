import { planCounts, type TakenBack } from "@retake/client/screen";
import { client } from "../data/connection.ts";
import { type Notice, say, sayError } from "../data/notices.ts";
import { messageOf } from "../data/session.ts";

/** Says what a change did, and offers what takes it back. */
export function sayChanged(thread: string, answer: TakenBack, fallback: string): void {
  const counts = planCounts(answer);
  const { description, message = description ?? fallback } = answer;
  say(`${message}${counts === "" || counts === message ? "" : ` · ${counts}`}`, wayBack(thread, answer));
}

/** Does something and says what came of it; a refusal is said in the server's words. Answers whether it was done. */
export async function attempt(thread: string, fallback: string, change: () => Promise<TakenBack>): Promise<boolean> {
  try {
    sayChanged(thread, await change(), fallback);
    return true;
  } catch (error) {
    sayError(messageOf(error));
    return false;
  }
}

function wayBack(thread: string, { taken_back_by }: TakenBack): Notice["action"] | undefined {
  if (taken_back_by === undefined) return undefined;
  const calls = {
    redo: () => client.redo(thread),
    undo: () => client.undo(thread),
    "undo-step": () => client.undo(thread, { steps: 1 }),
  };
  return {
    label: taken_back_by === "redo" ? "Bring back" : "Undo",
    run: () => void attempt(thread, "Done.", calls[taken_back_by]),
  };
}
