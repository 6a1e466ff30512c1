import { liveTakes } from "@retake/core";
import { takeInTree } from "../answers/take-json.ts";
import { type Action, answer } from "./action.ts";
import { cursorOf, pageOf } from "./shared/page.ts";

export const action: Action<"listTakes"> = ({ runtime, params, query }) =>
  runtime.store.names(params.id, (scope) => {
    const all = liveTakes(scope.history.state).map((take) => takeInTree(scope, take));
    all.sort((a, b) => compare(a.base_name, b.base_name) || a.name.localeCompare(b.name, "en", { numeric: true }));
    const page = pageOf(all, ({ id }) => id, query);
    return answer({ takes: page.items, ...cursorOf(page) });
  });

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
