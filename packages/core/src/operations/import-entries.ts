import { type Built, build, type Context, type Draft } from "../session/draft.ts";
import { preview, type ToolResult } from "../session/entry.ts";
import { type EntryInput, newEntry } from "../session/entry-input.ts";
import { MOST_TURNS, type Turn } from "../session/kinds.ts";
import { receiptProblem } from "../session/receipt.ts";
import { spaceId, threadId } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import type { State } from "../session/state.ts";
import { inThread, roles, tree, turn } from "../session/view.ts";
import { type Check, fields, labelled, maybe, oneOf, text, whole } from "../values/check.ts";
import { foreignProblem, plain } from "../values/foreign.ts";
import type { JsonObject } from "../values/json.ts";
import { appendKey } from "../values/order-key.ts";
import { idProblem, nameProblem } from "../values/text.ts";
import { isoTime } from "../values/time.ts";
import { TURN_ENDS } from "./turn.ts";
import { count, listProblem, whileRunning } from "./whole-conversation.ts";

/**
 * D7: adds the entries of a document at the end of the take. Entries of a turn form a group of that turn, so that the
 * turn can be undone or retried here too; later entries of the same turn join the same group. A document holds no
 * files, so the turn gets the take's own tree.
 */
export function importEntries(
  state: State,
  context: Context,
  input: {
    readonly entries: readonly EntryInput[];
    /** The turn that all the entries belong to. */
    readonly turn?: JsonObject;
    /** D2: the document's other facts about the discussion. */
    readonly discussion?: JsonObject;
  },
): Built {
  return build(state, context, (draft) => {
    const problem =
      listProblem(input.entries) ??
      labelled("The turn", maybe(turnProblem)(input.turn)) ??
      labelled("The discussion", maybe(plain)(input.discussion));
    if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
    const wrong = whileRunning(draft) ?? takenId(draft, input.entries);
    if (wrong) return wrong;
    const own = input.turn && turnFor(draft, input.turn);
    const role = roles(draft.base, draft.take)[0] ?? "";
    for (const [index, entry] of input.entries.entries()) {
      const given = { order: appendKey(draft.version, index), role, ts: isoTime(draft.at) };
      const copy = newEntry(withEndedTool(entry), own ? { ...given, turn_id: own.id } : given);
      draft.put(spaceId(draft.take, "entry", entry.id), copy as never);
    }
    const discussion = spaceId(draft.take, "discussion");
    if (input.discussion) draft.put(discussion, { ...draft.get(discussion), ...input.discussion });
    if (own === undefined)
      return { kind: "entries-imported", description: `Import ${count(input.entries.length, "entry", "entries")}` };
    const { id, group } = own;
    return {
      kind: "turn-imported",
      description: `Import turn: ${preview({ content: own.prompt })}`,
      turn_id: id,
      group,
    };
  });
}

/** The turn's record: the one created with its first entries, or a new one. */
function turnFor(draft: Draft, input: JsonObject): Turn {
  const { id, status } = input as JsonObject & Turn;
  const known = turn(draft.base, draft.take, id);
  if (known) return known;
  const files = tree(draft.base, draft.take);
  const result = {
    prompt_entry: "",
    started_at: isoTime(draft.at),
    ...input,
    status: status === "running" ? "interrupted" : status,
    group: draft.id,
    version: draft.version,
    tree_before: files,
    tree_after: files,
  } as Turn;
  draft.put(spaceId(draft.take, "turn", id), result as JsonObject);
  const given = inThread(draft.base, "numbers")?.turns ?? 0;
  draft.put(threadId("numbers"), { turns: Math.max(given, result.number) });
  return result;
}

/** A tool that was still running when the document was written does not run here (L9). */
function withEndedTool(entry: EntryInput): EntryInput {
  const { progress: _, ...result } = (entry["tool_result"] ?? {}) as JsonObject & Partial<ToolResult>;
  if (result.status !== "running" && result.status !== "pending") return entry;
  const status = result.status === "running" ? "unknown" : "interrupted";
  return { ...entry, tool_result: { ...result, status } };
}

function takenId(draft: Draft, entries: readonly EntryInput[]): Refusal | undefined {
  const taken = entries.find(({ id }) => draft.get(spaceId(draft.take, "entry", id)));
  return taken && refuse("already-exists", `There is an entry ${taken.id} already. Nothing was changed.`);
}

/** The numbers of later turns must be valid, too. */
const HIGHEST = MOST_TURNS / 2;
const isTurn = fields(
  { id: idProblem, number: whole(1, HIGHEST), prompt: text(), status: oneOf([...TURN_ENDS, "running"]) },
  { prompt_entry: text(128), started_at: text(64), ended_at: text(64), model: nameProblem, receipt: receiptProblem },
);
const turnProblem: Check = (value) => isTurn(value) ?? foreignProblem(value);
