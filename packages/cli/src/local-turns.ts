import { type TurnEvent, takenBackOutcome, type Workspace } from "@retake/runtime";
import type { AskedTurn, TurnPlace, Watch } from "./turn-place.ts";

/** Turns in this process. */
export function localTurns(workspace: Workspace): TurnPlace {
  return {
    run: (turn, watch) => workspace.run({ ...turn, ...watch, ...named(workspace, turn, watch) }),
    async retry(turn, { onTakenBack, ...watch }) {
      const ended = await workspace.retry({
        ...{ ...turn, ...watch, ...named(workspace, turn, watch) },
        onTakenBack: (done) => {
          const outcome = takenBackOutcome(workspace.store, turn.thread, done);
          if (outcome.kind === "answer") onTakenBack(outcome.answer);
        },
      });
      if (!("kind" in ended) || ended.kind === "busy" || ended.kind === "refused") return ended;
      const outcome = takenBackOutcome(workspace.store, turn.thread, ended);
      // Who retries has looked whether there is a turn; what is left is that its files are in the way.
      if (outcome.kind === "answer") throw new Error("a retry takes a turn back, or says why not");
      return outcome;
    },
  };
}

/** Every event names its thread and its turn, as those of a server do. */
function named(
  workspace: Workspace,
  { thread }: AskedTurn,
  { onEvent }: Watch,
): { turn: string } & Pick<Watch, "onEvent"> {
  const turn = workspace.store.identity.id();
  return {
    turn,
    onEvent: ({ type, ...rest }) => onEvent({ type, thread_id: thread, turn_id: turn, ...rest } as TurnEvent),
  };
}
