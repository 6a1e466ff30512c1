import {
  type Entry,
  entries,
  entryById,
  type JsonObject,
  type Notice,
  promptEntryId,
  type ReceiptEffect,
  type State,
  type TakeId,
  type TurnReceipt,
} from "@retake/core";
import type { Captured } from "../workspace/capture/capture-engine.ts";
import type { Receipt } from "../workspace/capture/receipt.ts";
import type { Change } from "../workspace/model.ts";
import { showPath } from "../workspace/path-bytes.ts";

/** What a call did to the files, kept with its result: so it is known also of a turn whose process was killed. */
export function callReceipt({ changes, receipt }: Captured): JsonObject {
  const changed = changes.filter(({ before, after }) => before?.kind !== "uncovered" && after?.kind !== "uncovered");
  // Made or removed: what only came under other ignore rules has not changed.
  const leftOut = changes.filter(({ before, after }) => isLeftOut(before, after) || isLeftOut(after, before));
  const uncovered = new Set([...receipt.leftOutChanged, ...leftOut.map(({ path }) => path)]);
  const lists = new Lists();
  return {
    files_changed: lists.cut(changed.map(({ path }) => showPath(path))),
    ignored_changed: lists.cut(receipt.ignoredChanged.map(showPath)),
    uncovered_changed: lists.cut([...uncovered].map(showPath)),
    omitted: lists.omitted,
  };
}

/** What a turn did, from what its calls left in their results, and what its last capture covered. */
export function turnReceipt(
  state: State,
  take: TakeId,
  turn: string,
  { files, bytes, uncovered }: Receipt,
): TurnReceipt {
  // All that a turn wrote stands behind its prompt, so the entries before need not be read.
  const prompt = entryById(state, take, promptEntryId(turn));
  const calls = [...entries(state, take, prompt)].filter(({ turn_id, receipt }) => turn_id === turn && receipt);
  const lists = new Lists();
  const together = (name: string) => {
    const all = calls.flatMap(({ receipt }) => (receipt?.[name] ?? []) as string[]);
    return lists.cut([...new Set(all)].sort());
  };
  const earlier = calls.reduce((sum, { receipt }) => sum + Number(receipt?.["omitted"] ?? 0), 0);
  return {
    files,
    bytes,
    files_changed: together("files_changed"),
    ignored_changed: together("ignored_changed"),
    uncovered_changed: together("uncovered_changed"),
    uncovered: lists.cut(uncovered.map(({ path, reason }) => ({ path: showPath(path), reason }))),
    effects: lists.cut(calls.flatMap((entry) => effectsOf(entry as unknown as JsonObject))),
    omitted: earlier + lists.omitted,
  };
}

/** What a call did that no undo takes back. Also of a call that failed or was interrupted: it may have done so before. */
export function effectsOf(entry: JsonObject): ReceiptEffect[] {
  const { tool_result: result, notices = [] } = entry as unknown as Entry;
  return (notices as unknown as Notice[]).map((notice) => ({
    call_id: result?.call_id ?? "",
    tool: result?.name ?? "",
    what: inWords(notice),
  }));
}

function isLeftOut(side: Change["before"], other: Change["after"]): boolean {
  return side?.kind === "uncovered" && !side.inherited && other === undefined;
}

/** Paths beyond this many are counted and not named. */
const MOST = 100;

class Lists {
  omitted = 0;

  cut<T>(list: readonly T[]): T[] {
    this.omitted += Math.max(0, list.length - MOST);
    return list.slice(0, MOST);
  }
}

function inWords(notice: Notice): string {
  if (notice.kind === "irreversible") return notice.what;
  const where = notice.kind === "outside-workspace" ? "outside of the workspace" : "into a .git directory";
  return `reached ${where}: ${notice.path}`;
}
