import { type Retake, takenBackOutcome } from "@retake/runtime";
import type { TurnPlace } from "./turn-place.ts";

/** Turns in this process. */
export function localTurns(retake: Retake): TurnPlace {
  return {
    run: (turn, watch) => retake.run({ ...turn, ...watch }),
    async retry(turn, { onTakenBack, ...watch }) {
      const ended = await retake.retry({
        ...{ ...turn, ...watch },
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
