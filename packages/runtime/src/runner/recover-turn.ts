import { type AgentState, type Context, recordOf, spaceId, takes, transition } from "@retake/core";
import type { ThreadStore } from "../store/thread-store.ts";
import type { Identity } from "../undo/identity.ts";
import { RefusedError, treeName } from "../undo/thread-files.ts";
import type { Workspace } from "../workspace/open-workspace.ts";
import { recordEffect } from "./record-effects.ts";

/**
 * L9: ends turns whose process is gone. Only for who holds the workspace's lock: a turn holds it too,
 * so one that still runs cannot be mistaken for one that was killed. What was written since the
 * last capture was the killed tool's doing, and goes with its turn.
 */
export async function recoverTurns(
  workspace: Workspace,
  store: ThreadStore,
  identity: Identity,
  thread: string,
): Promise<string[]> {
  const left = store.read(thread, ({ state }) =>
    takes(state).flatMap(({ id }) => {
      const record = recordOf(state, spaceId(id, "agent"));
      return record
        ? [{ take: id, agent: record["state"] as unknown as AgentState, turn: String(record["turn_id"]) }]
        : [];
    }),
  );
  if (left.length === 0) return [];
  const tree = treeName((await workspace.capture()).id);
  const context: Context = identity.context({ kind: "system" });
  for (const { take, agent } of left) {
    const { state, effects } = transition(agent, { kind: "recovered", at: identity.now() });
    workspace.database.transaction(() => {
      for (const effect of effects) {
        if (!effect.kind.startsWith("record-")) continue;
        const done = store.change(thread, (history) => {
          const built = recordEffect(
            effect as never,
            history,
            { ...context, id: identity.id() },
            { take, agent: state, tree },
          );
          return built ?? { kind: "refused", code: "nothing-to-do", message: "" };
        });
        if ("code" in done && done.code !== "nothing-to-do") throw new RefusedError(done);
      }
    });
  }
  return left.map(({ turn }) => turn);
}
