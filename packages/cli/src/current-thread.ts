import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { directories, type Retake, type ThreadSummary } from "@retake/runtime";

/**
 * The thread that a workspace stands at: the most recent, which is the one that was changed last or
 * that the user switched to since.
 */
export function currentThread(retake: Retake): ThreadSummary | undefined {
  const threads = retake.threads();
  const [latest] = threads;
  const chosen = readChoice(retake);
  if (!latest || !chosen || latest.updated_at > chosen.at) return latest;
  return threads.find(({ id }) => id === chosen.thread) ?? latest;
}

export function chooseThread(retake: Retake, thread: string): void {
  const file = choiceFile(retake);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const choice: Choice = { thread, at: Date.now() };
  // Renamed into place, so that no one ever reads half of it.
  writeFileSync(`${file}.${process.pid}`, JSON.stringify(choice), { mode: 0o600 });
  renameSync(`${file}.${process.pid}`, file);
}

interface Choice {
  readonly thread: string;
  readonly at: number;
}

/** It is a convenience that may be lost: what cannot be read is no choice. */
function readChoice(retake: Retake): Choice | undefined {
  try {
    const choice = JSON.parse(readFileSync(choiceFile(retake), "utf8")) as Partial<Choice> | null;
    if (typeof choice?.thread !== "string" || typeof choice.at !== "number") return undefined;
    return { thread: choice.thread, at: choice.at };
  } catch {
    return undefined;
  }
}

function choiceFile({ root }: Retake): string {
  return join(directories().state, "current", createHash("sha256").update(root).digest("hex").slice(0, 32));
}
