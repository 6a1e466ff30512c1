import { describeCall } from "../session/describe-call.ts";
import type { Built, Context } from "../session/draft.ts";
import { ReceiptLists } from "../session/receipt.ts";
import { spaceId } from "../session/record.ts";
import { isRefusal, refuse } from "../session/refusal.ts";
import type { State } from "../session/state.ts";
import { fields, labelled, list, maybe } from "../values/check.ts";
import { plain } from "../values/foreign.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { idProblem, nameProblem } from "../values/text.ts";
import { type InTurn, inTurn, toolEntry } from "./turn.ts";

/** A command in the background: the entry of the call that started it, and what is known of it now. */
export interface BackgroundNote {
  readonly entry: string;
  readonly state: JsonObject;
}

/**
 * Records what commands in the background have done since the last capture. `tree` is the tree of the files now, `receipt` what
 * changed. One operation for all of them, because nobody can tell whose change is whose: each of their calls owns it.
 */
export function noteBackground(
  state: State,
  context: Context,
  input: InTurn & { readonly calls: readonly BackgroundNote[]; readonly tree?: string; readonly receipt?: JsonObject },
): Built {
  return inTurn(state, context, input, "tool-progressed", (draft) => {
    const { calls, tree, receipt } = input;
    const problem =
      labelled("The tree's id", maybe(nameProblem)(tree)) ??
      labelled("The receipt", maybe(plain)(receipt)) ??
      labelled("The calls", list(fields({ entry: idProblem, state: plain }))(calls));
    if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
    const described: string[] = [];
    for (const { entry, state: background } of calls) {
      const found = toolEntry(draft, { ...input, entry }, ["running", "completed"]);
      if (isRefusal(found)) return found;
      // Counted, so that every operation with a change of files is one of this entry, too.
      const captures = Number(found.background?.["captures"] ?? 0) + (tree === undefined ? 0 : 1);
      draft.update(spaceId(draft.take, "entry", entry), {
        background: { ...background, captures },
        ...(receipt === undefined ? {} : { receipt: together(found.receipt, receipt) }),
      });
      described.push(describeCall(draft.state, draft.take, found));
    }
    if (tree !== undefined) draft.put(spaceId(draft.take, "workspace"), { tree });
    return `In the background: ${described.join(", ")}`;
  });
}

/** Both receipts in one: lists are joined and cut, numbers added. */
function together(before: JsonObject | undefined, after: JsonObject): JsonObject {
  const sum: Record<string, Json> = { ...before };
  const lists = new ReceiptLists();
  for (const [name, value] of Object.entries(after)) {
    const old = sum[name];
    if (Array.isArray(value)) sum[name] = lists.cut([...new Set([...(Array.isArray(old) ? old : []), ...value])]);
    else sum[name] = typeof value === "number" ? Number(old ?? 0) + value : value;
  }
  if (lists.omitted > 0) sum["omitted"] = Number(sum["omitted"] ?? 0) + lists.omitted;
  return sum;
}
