import { activeTake, canRedo, canUndo, type RevertRequest, recordsOf, refuse } from "@retake/core";
import {
  allOperations,
  bytePath,
  type Host,
  historySteps,
  operationJson,
  type Retake,
  type TakeBackOptions,
  type TakenBack,
  type TakenBackAnswer,
  takeBackCount,
  takenBackOutcome,
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

  redo: ({ host, params, body, change }) =>
    takeBack(host, params.id, (retake) =>
      inSteps(body.turns ?? 1, optionsOf(body, change), (count, options) => retake.redo(params.id, count, options)),
    ),

  async jump({ host, params, body, change }) {
    requireOperation(host, params.id, body.op);
    return takeBack(host, params.id, async (retake) => [
      await retake.jump(params.id, body.op, optionsOf(body, change)),
    ]);
  },

  async revert({ host, params, body, change }) {
    const { op, turn, call, hunks } = body;
    const chosen = hunks && new Map(hunks.map(({ path, edits }) => [bytePath(path), edits]));
    const request: RevertRequest = {
      ...(op === undefined ? {} : { operation: op }),
      ...(turn === undefined ? {} : { turn }),
      ...(call === undefined ? {} : { call }),
    };
    return takeBack(host, params.id, async (retake) => [
      await retake.revert(params.id, request, { ...optionsOf(body, change), ...(chosen ? { hunks: chosen } : {}) }),
    ]);
  },

  getHistory: ({ host, params, query }) =>
    host.read(params.id, (history) => {
      const all = query.all ? allOperations(history) : historySteps(history);
      const page = pageOf(all, ({ operation }) => operation.id, query);
      const operations = page.items.map(({ operation, undone }) => ({
        ...operationJson(operation, params.id),
        undone,
      }));
      const can = { can_undo: canUndo(history), can_redo: canRedo(history), head: history.state.head };
      return answer({ operations, ...can, ...cursorOf(page) });
    }),

  getOperation({ host, params }) {
    requireOperation(host, params.id, params.op);
    return host.inWorkspace(params.id, async (retake) => {
      const { operation, changes, files } = await whatOperationDid(retake, params.id, params.op);
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

  async undoSession({ host, params, body, change }) {
    const turns = host.read(params.id, ({ state }) => [...recordsOf(state, activeTake(state), "turn")].length);
    // The first turn stays, whatever is asked for.
    const most = Math.min(body.count ?? 1, turns - 1);
    if (most <= 0) return answer({ turns_undone: 0, messages_removed: 0, files_reverted: [], snapshot_restored: null });
    const outcome = await takeBack(host, params.id, (retake) =>
      inSteps(most, change, (count, options) => retake.undo(params.id, { count }, options)),
    );
    if (outcome.kind !== "answer") return outcome;
    const { turns_undone, messages_removed, files_reverted, snapshot_restored } = outcome.answer;
    return answer({ turns_undone, messages_removed, files_reverted, snapshot_restored });
  },
};

type UndoAsked = Pick<Asked<never>, "host" | "change"> & {
  readonly params: { readonly id: string };
  readonly body: {
    readonly turns?: number | undefined;
    readonly depth?: number | undefined;
    readonly steps?: number | undefined;
    readonly scope?: "both" | "conversation" | "files" | undefined;
    readonly keep_prompt?: boolean | undefined;
  } & FilesBody;
};

async function undo({ host, params, body, change }: UndoAsked) {
  const { turns, depth, steps, scope, keep_prompt } = body;
  const counts = [turns, depth, steps].filter((each) => each !== undefined);
  if (counts.length > 1) return refuse("invalid-input", "Say turns, depth or steps, one of them. Nothing was changed.");
  const request = {
    steps: steps !== undefined,
    keep_prompt: keep_prompt === true,
    ...(scope === undefined ? {} : { scope }),
  };
  return takeBack(host, params.id, (retake) =>
    inSteps(steps ?? turns ?? (depth ?? 0) + 1, optionsOf(body, change), (count, options) =>
      retake.undo(params.id, { ...request, count }, options),
    ),
  );
}

/** What was taken back in the thread's own workspace, as it is answered. */
export function takeBack(host: Host, thread: string, work: (retake: Retake) => Promise<readonly TakenBack[]>) {
  return host.work(thread, async (retake) => takenBackOutcome(retake, thread, await work(retake)));
}

/** As many as were asked for; only the first of them can be stale. */
function inSteps(
  count: number,
  { expectedVersion, ...options }: TakeBackOptions,
  step: (count: number, options: TakeBackOptions) => Promise<TakenBack>,
): Promise<TakenBack[]> {
  let first = true;
  return takeBackCount(count, (left) => {
    const stale = first && expectedVersion !== undefined ? { expectedVersion } : {};
    first = false;
    return step(left, { ...options, ...stale });
  });
}

interface FilesBody {
  readonly dry_run?: boolean | undefined;
  readonly on_conflict?: "abort" | "keep" | "merge" | "overwrite" | undefined;
  readonly paths?: readonly string[] | undefined;
}

export function optionsOf(body: FilesBody, change: TakeBackOptions): TakeBackOptions {
  return {
    ...change,
    dryRun: body.dry_run === true,
    ...(body.on_conflict === undefined ? {} : { onConflict: body.on_conflict }),
    ...(body.paths === undefined ? {} : { paths: body.paths.map(bytePath) }),
  };
}

/** An operation of another thread is none of this one's. */
function requireOperation(host: Host, thread: string, id: string): void {
  host.thread(thread);
  if (!host.home.operationIds(thread, id).includes(id))
    throw new RequestError(404, "not-found", `There is no operation ${id} in this thread. Nothing was changed.`);
}

function patchResult({ files_reverted, files_kept, snapshot_restored }: TakenBackAnswer) {
  const restored = `${files_reverted.length} ${files_reverted.length === 1 ? "file" : "files"} restored`;
  const kept = files_kept.length === 0 ? "" : `, ${files_kept.length} kept`;
  return { files_restored: files_reverted.length, summary: `${restored}${kept}`, snapshot_label: snapshot_restored };
}
