import { activeTake, canRedo, canUndo, type RevertRequest, recordsOf, refuse } from "@retake/core";
import {
  allOperations,
  bytePath,
  historySteps,
  operationJson,
  type Runtime,
  type TakeBackOptions,
  type TakenBack,
  type TakenBackAnswer,
  takenBackOutcome,
  type Workspace,
  whatOperationDid,
} from "@retake/runtime";
import { RequestError } from "../request-error.ts";
import { type Asked, answer, type Handlers } from "./handler.ts";
import { cursorOf, pageOf } from "./page.ts";

export const historyHandlers: Handlers<
  "undo" | "patchUndo" | "redo" | "jump" | "revert" | "getHistory" | "getOperation" | "undoSession"
> = {
  undo: (asked) => undo(asked),

  async patchUndo(asked) {
    const outcome = await undo(asked);
    if (outcome.kind !== "answer") return outcome;
    return answer({ ...outcome.answer, patch_result: patchResult(outcome.answer) });
  },

  redo: (asked) =>
    takeBack(asked, asked.params.id, (workspace, options) =>
      workspace.redo(asked.params.id, asked.body.turns ?? 1, options),
    ),

  async jump(asked) {
    const { runtime, params, body } = asked;
    requireOperation(runtime, params.id, body.op);
    return takeBack(asked, params.id, (workspace, options) => workspace.jump(params.id, body.op, options));
  },

  async revert(asked) {
    const { params, body } = asked;
    const { op, turn, call, hunks } = body;
    const chosen = hunks && new Map(hunks.map(({ path, edits }) => [bytePath(path), edits]));
    const request: RevertRequest = {
      ...(op === undefined ? {} : { operation: op }),
      ...(turn === undefined ? {} : { turn }),
      ...(call === undefined ? {} : { call }),
    };
    return takeBack(asked, params.id, (workspace, options) =>
      workspace.revert(params.id, request, { ...options, ...(chosen ? { hunks: chosen } : {}) }),
    );
  },

  getHistory: ({ runtime, params, query }) =>
    runtime.read(params.id, (history) => {
      const all = query.all ? allOperations(history) : historySteps(history);
      const page = pageOf(all, ({ operation }) => operation.id, query);
      const operations = page.items.map(({ operation, undone }) => ({
        ...operationJson(operation, params.id),
        undone,
      }));
      const can = { can_undo: canUndo(history), can_redo: canRedo(history), head: history.state.head };
      return answer({ operations, ...can, ...cursorOf(page) });
    }),

  getOperation({ runtime, params }) {
    requireOperation(runtime, params.id, params.op);
    return runtime.inWorkspace(params.id, async (workspace) => {
      const { operation, changes, files } = await whatOperationDid(workspace, params.id, params.op);
      const { version, group } = operation;
      return answer({
        ...operationJson(operation, params.id),
        version,
        group,
        changes,
        files,
      });
    });
  },

  async undoSession(asked) {
    const { runtime, params, body } = asked;
    const turns = runtime.read(params.id, ({ state }) => [...recordsOf(state, activeTake(state), "turn")].length);
    // The first turn stays, whatever is asked for.
    const most = Math.min(body.count ?? 1, turns - 1);
    if (most <= 0) return answer({ turns_undone: 0, messages_removed: 0, files_reverted: [], snapshot_restored: null });
    const outcome = await takeBack({ ...asked, body: {} }, params.id, (workspace, options) =>
      workspace.undo(params.id, { count: most }, options),
    );
    if (outcome.kind !== "answer") return outcome;
    const { turns_undone, messages_removed, files_reverted, snapshot_restored } = outcome.answer;
    return answer({ turns_undone, messages_removed, files_reverted, snapshot_restored });
  },
};

type UndoAsked = TakeBackAsked & {
  readonly params: { readonly id: string };
  readonly body: {
    readonly turns?: number | undefined;
    readonly depth?: number | undefined;
    readonly steps?: number | undefined;
    readonly scope?: "both" | "conversation" | "files" | undefined;
    readonly keep_prompt?: boolean | undefined;
  };
};

async function undo(asked: UndoAsked) {
  const { turns, depth, steps, scope, keep_prompt } = asked.body;
  const counts = [turns, depth, steps].filter((each) => each !== undefined);
  if (counts.length > 1) return refuse("invalid-input", "Say turns, depth or steps, one of them. Nothing was changed.");
  const request = {
    steps: steps !== undefined,
    keep_prompt: keep_prompt === true,
    ...(scope === undefined ? {} : { scope }),
  };
  return takeBack(asked, asked.params.id, (workspace, options) =>
    workspace.undo(asked.params.id, { ...request, count: steps ?? turns ?? (depth ?? 0) + 1 }, options),
  );
}

/** What was taken back in the thread's own workspace, as it is answered. */
export function takeBack(
  asked: TakeBackAsked,
  thread: string,
  work: (workspace: Workspace, options: TakeBackOptions) => Promise<TakenBack>,
) {
  const options = optionsOf(asked, thread);
  return asked.runtime.work(thread, async (workspace) =>
    takenBackOutcome(workspace.store, thread, await work(workspace, options)),
  );
}

interface FilesBody {
  readonly dry_run?: boolean | undefined;
  readonly on_conflict?: "abort" | "keep" | "merge" | "overwrite" | undefined;
  readonly paths?: readonly string[] | undefined;
}

export type TakeBackAsked = Pick<Asked<never>, "runtime" | "change" | "signal"> & { readonly body: FilesBody };

export function optionsOf({ runtime, body, change, signal }: TakeBackAsked, thread: string): TakeBackOptions {
  return {
    ...change,
    ...runtime.restoring(thread, signal),
    dryRun: body.dry_run === true,
    ...(body.on_conflict === undefined ? {} : { onConflict: body.on_conflict }),
    ...(body.paths === undefined ? {} : { paths: body.paths.map(bytePath) }),
  };
}

/** An operation of another thread is none of this one's. */
function requireOperation(runtime: Runtime, thread: string, id: string): void {
  runtime.thread(thread);
  if (!runtime.store.hasOperation(thread, id))
    throw new RequestError(404, "not-found", `There is no operation ${id} in this thread. Nothing was changed.`);
}

function patchResult({ files_reverted, files_kept, snapshot_restored }: TakenBackAnswer) {
  const restored = `${files_reverted.length} ${files_reverted.length === 1 ? "file" : "files"} restored`;
  const kept = files_kept.length === 0 ? "" : `, ${files_kept.length} kept`;
  return { files_restored: files_reverted.length, summary: `${restored}${kept}`, snapshot_label: snapshot_restored };
}
