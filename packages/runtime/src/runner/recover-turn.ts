import { type AgentState, isRecordEffect, type RecordFacts, recordOf, spaceId, takes, transition } from "@retake/core";
import type { WorkspaceFiles } from "@retake/workspace";
import type { Identity } from "../store/identity.ts";
import type { ThreadStore } from "../store/thread-store.ts";
import { callFiles, coveredBy } from "./call-files.ts";
import { commitRecords } from "./commit-records.ts";
import { sha256 } from "./model-request.ts";
import { removeStagedWrites } from "./remove-staged-writes.ts";

/**
 * L9: ends turns whose process is gone. The caller must hold the workspace's lock: a running turn holds it too, so it
 * cannot be mistaken for a killed one. Changes since the last capture were made by the killed tool, and belong to its
 * turn.
 */
export async function recoverTurns(
  workspace: WorkspaceFiles,
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
  const root = Buffer.from(workspace.root, "latin1").toString("utf8");
  store.read(thread, ({ state }) => {
    for (const { take, turn } of left) removeStagedWrites(root, state, take, turn);
  });
  const captured = await workspace.capture();
  for (const { take, agent } of left) {
    const { state, effects } = transition(agent, { kind: "recovered", at: identity.now() });
    const records = effects.filter(isRecordEffect);
    const ran = records.flatMap((each) =>
      each.kind === "record-tool-ended" && each.outcome === "unknown" ? [each] : [],
    );
    const facts: RecordFacts = {
      agent: state,
      hash: sha256,
      calls: new Map(ran.map(({ entry_id }) => [entry_id, callFiles(captured)])),
      last: { covered: coveredBy(captured), tree: captured.id },
    };
    commitRecords({ store, workspace }, { thread, take }, records, facts, () => identity.context({ kind: "system" }));
  }
  return left.map(({ turn }) => turn);
}
