import { refuse, type State, type Take, takeById } from "@retake/core";
import { compareTakes } from "../answers/compare-takes.ts";
import { type Action, answer } from "./action.ts";

export const action: Action<"compareTakes"> = ({ runtime, params }) =>
  runtime.inWorkspace(params.id, async (workspace) => {
    const [a, b] = runtime.read(
      params.id,
      ({ state }) => [liveTake(state, params.a), liveTake(state, params.b)] as const,
    );
    if (!a || !b) return refuse("not-found", "There is no such take in this thread.");
    return answer(await compareTakes(workspace, params.id, a, b));
  });

function liveTake(state: State, id: string): Take | undefined {
  const take = takeById(state, id);
  return take?.deleted ? undefined : take;
}
