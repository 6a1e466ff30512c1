import { kindOf, recordAs, type TurnReceipt } from "@retake/core";
import { namedEffects } from "../answers/named-effects.ts";
import { effectsOfOperation, type RecordChange } from "../answers/operation-effects.ts";
import { operationJson } from "../answers/operation-json.ts";
import { type Action, answer } from "./action.ts";

export const action: Action<"getOperation"> = ({ runtime, params }) =>
  runtime.inWorkspace(params.id, async (workspace) => {
    const { operation, first, changes, files } = await effectsOfOperation(workspace, params.id, params.op);
    const { version } = operation;
    const receipt = receiptIn(changes);
    const effects = namedEffects(workspace.store, params.id, receipt?.effects ?? []);
    return answer({
      about: first.description,
      ...workspace.store.names(params.id, (scope) => operationJson(operation, scope)),
      version,
      changes,
      files,
      receipt: receipt && { ...receipt, effects },
    });
  });

/** The receipt of the turn that ends in these changes. */
function receiptIn(changes: readonly RecordChange[]): TurnReceipt | undefined {
  const turn = changes.find(({ record, after }) => kindOf(record) === "turn" && after?.["receipt"]);
  return turn?.after && recordAs("turn", turn.after).receipt;
}
