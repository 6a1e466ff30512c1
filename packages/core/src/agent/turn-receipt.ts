import type { Notice } from "../session/entry.ts";
import { promptEntryId } from "../session/entry-ids.ts";
import { recordAs } from "../session/kinds.ts";
import { type ReceiptEffect, ReceiptLists, type TurnReceipt } from "../session/receipt.ts";
import type { TakeId } from "../session/record.ts";
import type { State } from "../session/state.ts";
import { entries, entryById } from "../session/view.ts";
import { asJson, type JsonObject } from "../values/json.ts";

/** The files that a capture covered and left out, with paths in their displayed form. */
export type Covered = Pick<TurnReceipt, "files" | "bytes" | "uncovered">;

/** The receipt of a turn, made from the results of its calls and from what its last capture covered. */
export function turnReceipt(
  state: State,
  take: TakeId,
  turn: string,
  { files, bytes, uncovered }: Covered,
): TurnReceipt {
  // A turn writes only after its prompt, so the entries before it need not be read.
  const prompt = entryById(state, take, promptEntryId(turn));
  const calls = [...entries(state, take, prompt)].filter(({ turn_id, receipt }) => turn_id === turn && receipt);
  const lists = new ReceiptLists();
  const together = (name: "files_changed" | "ignored_changed" | "uncovered_changed") => {
    const all = calls.flatMap(({ receipt }) => receipt?.[name] ?? []);
    return lists.cut([...new Set(all)].sort());
  };
  const earlier = calls.reduce((sum, { receipt }) => sum + (receipt?.omitted ?? 0), 0);
  return {
    files,
    bytes,
    files_changed: together("files_changed"),
    ignored_changed: together("ignored_changed"),
    uncovered_changed: together("uncovered_changed"),
    uncovered: lists.cut(uncovered),
    effects: lists.cut(calls.flatMap((entry) => effectsOf(asJson(entry)))),
    omitted: earlier + lists.omitted,
  };
}

/**
 * The effects of a call that no undo can reverse. A failed or interrupted call counts too: it may have had them before
 * it ended.
 */
export function effectsOf(entry: JsonObject): ReceiptEffect[] {
  const { id, tool_result: result, notices = [] } = recordAs("entry", entry);
  return notices.map((notice) => ({
    call_id: result?.call_id ?? "",
    entry: id,
    tool: result?.name ?? "",
    what: inWords(notice),
  }));
}

function inWords(notice: Notice): string {
  switch (notice.kind) {
    case "irreversible":
      return notice.what;
    case "unconfined":
      return `ran outside of the confinement: ${notice.what}`;
    case "outside-workspace":
      return `reached outside of the workspace: ${notice.path}`;
    case "git-directory":
      return `reached into a .git directory: ${notice.path}`;
  }
}
