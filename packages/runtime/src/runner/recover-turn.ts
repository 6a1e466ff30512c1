import {
  type Actor,
  type AgentState,
  isRecordEffect,
  isRefusal,
  noteBackground,
  noteFilesEdited,
  type RecordFacts,
  recordOf,
  spaceId,
  type TakeId,
  takes,
  transition,
  tree,
} from "@retake/core";
import { deriveCapture, type WorkspaceFiles } from "@retake/workspace";
import type { Identity } from "../store/identity.ts";
import type { ThreadStore } from "../store/thread-store.ts";
import { RefusedError } from "../undo/thread-files.ts";
import { callFiles, coveredBy } from "./call-files.ts";
import { commitRecords } from "./commit-records.ts";
import { changesOfKilledTools, openBackground } from "./killed-tools.ts";
import { sha256 } from "./model-request.ts";
import { removeStagedWrites } from "./remove-staged-writes.ts";

export interface KilledTurnParts {
  readonly workspace: WorkspaceFiles;
  readonly store: ThreadStore;
  readonly identity: Identity;
  /** The directory of kept outputs. */
  readonly outputs: string;
}

/**
 * L9: ends turns of this machine whose process is gone. The caller must hold the workspace's lock: a running turn holds it too, so it
 * cannot be mistaken for a killed one. Changes that a killed tool made since the last capture belong to its turn; other
 * changes since then are recorded as the user's, after it [F21].
 */
export async function recoverTurns(
  { workspace, store, identity, outputs }: KilledTurnParts,
  thread: string,
): Promise<string[]> {
  const own = store.ownTurns(thread);
  const left = store.read(thread, ({ state }) =>
    takes(state).flatMap(({ id }) => {
      const record = recordOf(state, spaceId(id, "agent"));
      if (!record || !own.has(String(record["turn_id"]))) return [];
      const agent = record["state"] as unknown as AgentState;
      return [{ take: id, agent, turn: String(record["turn_id"]), known: tree(state, id) }];
    }),
  );
  if (left.length === 0) {
    store.forgetOwnTurns(thread);
    return [];
  }
  const root = Buffer.from(workspace.root, "latin1").toString("utf8");
  store.read(thread, ({ state }) => {
    for (const { take, turn } of left) removeStagedWrites(root, state, take, turn);
  });
  const captured = await workspace.capture();
  for (const { take, agent, known } of left) {
    const all = known === "" ? captured.changes : workspace.changes(known, captured.id);
    const { changes, ended, forget } = store.read(thread, ({ state }) =>
      changesOfKilledTools({ root: workspace.root, state, take, agent, outputs }, all),
    );
    const { state, effects } = transition(agent, { kind: "recovered", ended, at: identity.now() });
    const records = effects.filter(isRecordEffect);
    const ran = records.flatMap((each) =>
      each.kind === "record-tool-ended" && each.outcome === "unknown" ? [each] : [],
    );
    workspace.database.transaction(() => {
      const isWhole = known === "" || changes.length === all.length;
      const id = isWhole ? captured.id : deriveCapture(workspace.database, known, changes);
      const files = callFiles({ ...captured, id, changes });
      noteKilled({ store, identity }, { thread, take, agent }, changes.length > 0 ? files : {});
      const facts: RecordFacts = {
        agent: state,
        hash: sha256,
        calls: new Map(ran.map(({ entry_id }) => [entry_id, files])),
        last: { covered: coveredBy(captured), tree: id },
      };
      commitRecords({ store, workspace }, { thread, take }, records, facts, () => identity.context({ kind: "system" }));
      const editor: Actor = { kind: "editor" };
      if (!isWhole)
        store.change(thread, (history) =>
          noteFilesEdited(history.state, { ...identity.context(editor), take }, { tree: captured.id }),
        );
    });
    forget();
  }
  return left.map(({ turn }) => turn);
}

/** The commands that ran in the background have ended, and the files that changed are theirs. */
function noteKilled(
  { store, identity }: Pick<KilledTurnParts, "store" | "identity">,
  { thread, take, agent }: { readonly thread: string; readonly take: TakeId; readonly agent: AgentState },
  files: Partial<ReturnType<typeof callFiles>>,
): void {
  const open = store.read(thread, ({ state }) => openBackground({ state, take, agent }));
  const [first] = open;
  if (!first) return;
  const calls = open.map(({ entry, name }) => ({ entry, state: { name, status: "ended", by: "kill" } }));
  const noted = store.change(thread, ({ state }) => {
    const context = { ...identity.context({ kind: "system" }), take };
    return noteBackground(state, context, { turn_id: first.turn_id, calls, ...files });
  });
  if (isRefusal(noted)) throw new RefusedError(noted);
}
