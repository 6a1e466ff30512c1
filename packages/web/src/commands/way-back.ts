import { ApiError } from "@retake/client";
import { planCounts, type TakenBack } from "@retake/client/screen";
import { client } from "../data/connection.ts";
import { type Notice, say, sayError } from "../data/notices.ts";
import { messageOf } from "../data/session.ts";

/** Says what a change did, and offers what takes it back, as a button with this label. */
export function sayChanged(thread: string, answer: TakenBack, fallback: string, label?: string): void {
  const counts = planCounts(answer);
  const { description, message = description ?? fallback } = answer;
  say(`${message}${counts === "" || counts === message ? "" : ` · ${counts}`}`, wayBack(thread, answer, label));
}

/** Does something and says what came of it; a refusal is said in the server's words. Answers whether it was done. */
export async function attempt(
  thread: string,
  fallback: string,
  change: () => Promise<TakenBack>,
  label?: string,
): Promise<boolean> {
  try {
    sayChanged(thread, await change(), fallback, label);
    return true;
  } catch (error) {
    sayError(messageOf(error));
    return false;
  }
}

function wayBack(thread: string, answer: TakenBack, label?: string): Notice["action"] | undefined {
  const { taken_back_by } = answer;
  if (taken_back_by === undefined) return undefined;
  return {
    label: label ?? (taken_back_by === "redo" ? "Bring back" : "Undo"),
    run: () => void attempt(thread, "Done.", () => takeBack(thread, answer)),
  };
}

/**
 * Takes back the operation of an answer and nothing else. The command that takes back the newest operation brings everything
 * back as it was, but after a later change, be it only a word typed into the prompt, it would take back that one.
 */
async function takeBack(
  thread: string,
  { taken_back_by, taken_back_with, op_id, version }: TakenBack,
): Promise<TakenBack> {
  const newest = version === undefined ? {} : { version };
  try {
    if (taken_back_by === "redo") return await client.redo(thread, {}, newest);
    const { op, ...undo } = taken_back_with ?? (taken_back_by === "undo-step" ? { steps: 1 } : {});
    return op === undefined ? await client.undo(thread, undo, newest) : await client.jump(thread, { op }, newest);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "stale-version") || !op_id) throw error;
    return client.revert(thread, { op: op_id });
  }
}
