import { type Built, build, type Context } from "../session/draft.ts";
import { kindFor } from "../session/kinds.ts";
import { inTake } from "../session/record.ts";
import { refuse } from "../session/refusal.ts";
import { recordsIn, type State } from "../session/state.ts";
import { liveTakes, runningTurn } from "../session/view.ts";

/**
 * S6: clears the conversation, the settings, the lists and the agent of all takes. The takes
 * themselves, the files on disk, the saves and the history stay; one undo brings everything back.
 */
export function resetSession(state: State, context: Context): Built {
  return build(state, context, (draft) => {
    for (const take of liveTakes(draft.base)) {
      if (runningTurn(draft.base, take.id) !== undefined) {
        return refuse(
          "agent-running",
          `The agent is working in ${take.name}. Stop it first (retake stop); nothing was changed.`,
        );
      }
      const space = draft.base.spaces.get(take.id);
      for (const [local] of space ? recordsIn(space) : []) {
        const id = inTake(take.id, local);
        if (kindFor(id).reset) draft.remove(id);
      }
    }
    return { kind: "session-reset", scope: "thread", description: "Reset the thread" };
  });
}
