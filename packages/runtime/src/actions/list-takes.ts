import { baseName, liveTakes, type Take } from "@retake/core";
import { takeInTree } from "../answers/take-json.ts";
import { type Action, answer } from "./action.ts";
import { cursorOf, pageOf } from "./shared/page.ts";

export const action: Action<"listTakes"> = ({ runtime, params, query }) =>
  runtime.store.names(params.id, (scope) => {
    const page = pageOf(byName(liveTakes(scope.history.state)), ({ id }) => id, query);
    return answer({ takes: page.items.map((take) => takeInTree(scope, take)), ...cursorOf(page) });
  });

/** Takes with the same base name stand together, in the order of their numbers. */
function byName(takes: readonly Take[]): Take[] {
  const named = takes.map((take) => ({ take, base: baseName(take.name) }));
  named.sort((a, b) => compare(a.base, b.base) || NUMERIC.compare(a.take.name, b.take.name));
  return named.map(({ take }) => take);
}

const NUMERIC = new Intl.Collator("en", { numeric: true });

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
