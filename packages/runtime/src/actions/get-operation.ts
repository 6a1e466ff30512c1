import { whatOperationDid } from "../answers/operation-effects.ts";
import { operationJson } from "../answers/operation-json.ts";
import { type Action, answer } from "./action.ts";

export const action: Action<"getOperation"> = ({ runtime, params }) =>
  runtime.inWorkspace(params.id, async (workspace) => {
    const { operation, changes, files } = await whatOperationDid(workspace, params.id, params.op);
    const { version } = operation;
    return answer({
      ...workspace.store.names(params.id, (scope) => operationJson(operation, scope)),
      version,
      changes,
      files,
    });
  });
