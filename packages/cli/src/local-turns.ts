import { type Retake, type TurnEvent, takenBackOutcome } from "@retake/runtime";
import type { AskedTurn, TurnPlace, Watch } from "./turn-place.ts";

/** Turns in this process. */
export function localTurns(retake: Retake): TurnPlace {
  return {
    run: (turn, watch) => retake.run({ ...turn, ...watch, ...named(retake, turn, watch) }),
    async retry(turn, { onTakenBack, ...watch }) {
      const ended = await retake.retry({
        ...{ ...turn, ...watch, ...named(retake, turn, watch) },
        onTakenBack: (done) => {
          const outcome = takenBackOutcome(retake, turn.thread, done);
          if (outcome.kind === "answer") onTakenBack(outcome.answer);
        },
      });
      if (!("kind" in ended) || ended.kind === "busy" || ended.kind === "refused") return ended;
      const outcome = takenBackOutcome(retake, turn.thread, ended);
      // Who retries has looked whether there is a turn; what is left is that its files are in the way.
      if (outcome.kind === "answer") throw new Error("a retry takes a turn back, or says why not");
      return outcome;
    },
  };
}

/** Every event names its thread and its turn, as those of a server do. */
function named(retake: Retake, { thread }: AskedTurn, { onEvent }: Watch): { turn: string } & Pick<Watch, "onEvent"> {
  const turn = retake.identity.id();
  return {
    turn,
    onEvent: ({ type, ...rest }) => onEvent({ type, thread_id: thread, turn_id: turn, ...rest } as TurnEvent),
  };
}
