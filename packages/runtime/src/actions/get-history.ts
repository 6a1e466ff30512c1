import { canRedo, canUndo } from "@retake/core";
import { countFiles } from "../answers/count-files.ts";
import { allOperations, historySteps, standsAt } from "../answers/history-list.ts";
import { operationJson } from "../answers/operation-json.ts";
import { type Action, answer } from "./action.ts";
import { cursorOf, pageOf } from "./shared/page.ts";

export const action: Action<"getHistory"> = ({ runtime, params, query }) =>
  runtime.store.names(params.id, (scope) => {
    const { history } = scope;
    const all = query.all ? allOperations(history) : historySteps(history);
    const page = pageOf(all, ({ operation }) => operation.id, query);
    const { database } = runtime.store.partOf(params.id);
    const operations = page.items.map(({ operation, undone }) => {
      const files = query.files ? countFiles(database, history, operation, !query.all) : undefined;
      return { ...operationJson(operation, scope), undone, files };
    });
    const { head } = history.state;
    const can = { can_undo: canUndo(history), can_redo: canRedo(history) };
    const stands_at = query.all ? head : standsAt(history);
    return answer({ operations, ...can, head, stands_at, ...cursorOf(page) });
  });
