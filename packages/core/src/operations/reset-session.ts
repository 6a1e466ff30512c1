import { type Built, build, type Context } from "../session/draft.ts";
import { DEFAULT_ROLES } from "../session/entry.ts";
import { inTake } from "../session/record.ts";
import { refuse } from "../session/refusal.ts";
import { DEFAULT_SETTINGS, isSettingField } from "../session/setting.ts";
import { recordsIn, type State } from "../session/state.ts";
import { liveTakes, runningTurn } from "../session/view.ts";
import { equal, type Json, type JsonObject } from "../values/json.ts";

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
          `The agent is working in ${take.name}. Interrupt it first; nothing was changed.`,
        );
      }
      const space = draft.base.spaces.get(take.id);
      for (const [local, record] of space ? recordsIn(space) : []) {
        if (local !== "workspace" && !readsAsDefault(local, record)) draft.remove(inTake(take.id, local));
      }
    }
    return { kind: "session-reset", scope: "thread", description: "Reset the session" };
  });
}

/** To take such a record away would change nothing, and to bring it back neither. */
function readsAsDefault(local: string, record: JsonObject): boolean {
  if (local === "roles") return equal(record["list"], DEFAULT_ROLES);
  const field = local.slice("setting:".length);
  return (
    local.startsWith("setting:") && isSettingField(field) && equal(record["value"], DEFAULT_SETTINGS[field] as Json)
  );
}
