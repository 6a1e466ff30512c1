import { setImmediate as nextTurn } from "node:timers/promises";
import type { Routes } from "@retake/client/routes";
import { canRedo, canUndo } from "@retake/core";
import { countFiles } from "../answers/count-files.ts";
import { allOperations, historySteps, standsAt } from "../answers/history-list.ts";
import { operationJson } from "../answers/operation-json.ts";
import type { NameScope } from "../store/name-index.ts";
import { type Action, type ActionCall, answer } from "./action.ts";
import { cursorOf, type PageQuery, pageOf } from "./shared/page.ts";

/** Others are served after so many steps, or after this time. */
const PART = 50;
const PART_MS = 10;

export const action: Action<"getHistory"> = async (call) => {
  const { runtime, params, query } = call;
  return answer((await readInParts(call)) ?? runtime.store.names(params.id, (scope) => readPage(call, scope, query)));
};

/** Undefined if the thread changes meanwhile: parts of two states are not one page. */
async function readInParts(call: Call) {
  const { runtime, params, query } = call;
  const { limit = Number.POSITIVE_INFINITY } = query;
  const read = (cursor: string | undefined, most: number, head?: string | null) =>
    runtime.store.names(params.id, (scope) =>
      head === undefined || head === scope.history.state.head
        ? readPage(call, scope, { limit: Math.min(most, PART), cursor }, PART_MS)
        : undefined,
    );
  let part = read(query.cursor, limit);
  const operations = part?.operations ?? [];
  while (part?.cursor !== undefined && operations.length < limit) {
    await nextTurn();
    part = read(part.cursor, limit - operations.length, part.head);
    operations.push(...(part?.operations ?? []));
  }
  return part && { ...part, operations };
}

function readPage({ runtime, params, query }: Call, scope: NameScope, page: PageQuery, milliseconds = Infinity) {
  const until = performance.now() + milliseconds;
  const { history } = scope;
  const all = query.all ? allOperations(history, page.cursor) : historySteps(history, page.cursor);
  const read = pageOf(
    all,
    ({ operation }) => operation.id,
    page,
    () => performance.now() > until,
  );
  const { database } = runtime.store.partOf(params.id);
  const operations = read.items.map(({ operation, undone }) => {
    const files = query.files ? countFiles(database, history, operation, !query.all) : undefined;
    return { ...operationJson(operation, scope), undone, files };
  });
  const { head } = history.state;
  const can = { can_undo: canUndo(history), can_redo: canRedo(history) };
  const stands_at = query.all ? head : standsAt(history);
  return { operations, ...can, head, stands_at, ...cursorOf(read) };
}

type Call = ActionCall<Routes["getHistory"]>;
