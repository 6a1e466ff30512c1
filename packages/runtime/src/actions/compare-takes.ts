import { refuse, type State, type Take, takeById } from "@retake/core";
import { type ComparedTakes, compareTakes } from "../answers/compare-takes.ts";
import { type Action, answer } from "./action.ts";
import type { EntryJson } from "./shared/entry-page.ts";

export const action: Action<"compareTakes"> = ({ runtime, params }) =>
  runtime.inWorkspace(params.id, async (workspace) => {
    const [a, b] = runtime.read(
      params.id,
      ({ state }) => [liveTake(state, params.a), liveTake(state, params.b)] as const,
    );
    if (!a || !b) return refuse("not-found", "There is no such take in this thread.");
    const compared = await compareTakes(workspace, params.id, a, b);
    return answer(
      compared as ComparedTakes & { readonly entries: { a: readonly EntryJson[]; b: readonly EntryJson[] } },
    );
  });

function liveTake(state: State, id: string): Take | undefined {
  const take = takeById(state, id);
  return take?.deleted ? undefined : take;
}
