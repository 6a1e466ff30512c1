import { syncHead } from "@retake/client/screen";
import type { ActionAnswer } from "@retake/runtime/actions";
import { type Output, plural } from "./output.ts";

type Status = ActionAnswer<"getSync">;

/** The state of sync in words: what waits, why, and what to do. */
export function* statusLines(output: Output, status: Status): Iterable<string> {
  const { state, url = "", pending, problem, threads } = status;
  if (state === "off") {
    yield "Sync is off: everything stays on this machine.";
    yield output.hint("retake sync login <url>");
    return;
  }
  if (state === "linking") {
    yield `This machine waits to be linked at ${url}.`;
    yield output.hint("Begin again: retake sync login <url>");
    return;
  }
  const mark = state === "synced" && !problem ? "✓ " : "";
  yield `${mark}${syncHead(state, problem !== undefined)} ${url}${status.device === undefined ? "" : `, as ${status.device}`}`;
  if (status.synced_at !== undefined) yield `Last synced ${output.ago(status.synced_at)}`;
  if (pending > 0) yield `${plural(pending, "operation")} to send`;
  if (problem) yield problem.message + retryOf(output, problem.next_try);
  for (const thread of threads.slice(0, MOST_THREADS)) yield* threadLines(output, thread);
  if (threads.length > MOST_THREADS) yield `  and ${plural(threads.length - MOST_THREADS, "more thread")}`;
  if (status.removed.length > 0) yield "Removed from the server, and not synced any more:";
  for (const { thread_id, title } of status.removed) yield `  ${title} ${output.style("dim", thread_id)}`;
  if (status.elsewhere.length === 0) return;
  yield "Threads of directories that are not on this machine:";
  for (const { thread_id, title, workspace_root } of status.elsewhere)
    yield `  ${title} ${output.style("dim", `${thread_id} ${workspace_root}`)}`;
  yield output.hint(
    "Read one: retake log --thread <id> · put its files into an empty directory: retake switch <id> --workspace <directory>",
  );
}

/** Of those that are not synced; `--json` names all. */
const MOST_THREADS = 20;

function* threadLines(output: Output, thread: Status["threads"][number]): Iterable<string> {
  const { title, pending, behind, retries, error, next_try, synced_at } = thread;
  const parts = [
    ...(pending > 0 ? [`${pending} to send`] : []),
    ...(behind ? ["more to receive"] : []),
    ...(retries > 0 ? [`failed ${plural(retries, "time")}`] : []),
    synced_at === undefined ? "never synced" : `synced ${output.ago(synced_at)}`,
  ];
  yield `  ${title}: ${parts.join(", ")}`;
  if (error) yield `    ${error.message}${retryOf(output, next_try)}`;
}

function retryOf(output: Output, next_try: number | undefined): string {
  return next_try === undefined ? "" : ` Next try ${output.until(next_try)}.`;
}

/** Recovery words with their numbers, six in a line. */
export function wordLines(words: string): string[] {
  const numbered = words.split(" ").map((word, index) => `${String(index + 1).padStart(2)} ${word.padEnd(9)}`);
  return Array.from({ length: Math.ceil(numbered.length / 6) }, (_, line) =>
    `  ${numbered.slice(line * 6, line * 6 + 6).join(" ")}`.trimEnd(),
  );
}
