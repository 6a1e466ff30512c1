import { whatOperationDid } from "../answers/operation-effects.ts";
import { operationJson } from "../answers/operation-json.ts";
import { type Action, answer } from "./action.ts";
import { requireOperation } from "./shared/require-operation.ts";

export const action: Action<"getOperation"> = ({ runtime, params }) => {
  requireOperation(runtime, params.id, params.op);
  return runtime.inWorkspace(params.id, async (workspace) => {
    const { operation, changes, files } = await whatOperationDid(workspace, params.id, params.op);
    const { version, group } = operation;
    return answer({
      ...operationJson(operation, params.id),
      version,
      group,
      changes,
      files,
    });
  });
};
