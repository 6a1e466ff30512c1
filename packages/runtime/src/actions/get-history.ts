import { setImmediate as nextTurn } from "node:timers/promises";
import type { Routes } from "@retake/client/routes";
import { canRedo, canUndo } from "@retake/core";
import { countFiles } from "../answers/count-files.ts";
import { allOperations, historySteps, standsAt } from "../answers/history-list.ts";
import { operationJson } from "../answers/operation-json.ts";
import { type Action, type ActionCall, answer } from "./action.ts";
import { cursorOf, type PageQuery, pageOf } from "./shared/page.ts";

/** Others are served after so many steps, or after this time. */
const PART = 50;
const PART_MS = 10;

export const action: Action<"getHistory"> = async (call) => {
  const { limit = Number.POSITIVE_INFINITY, cursor } = call.query;
  let { operations, cursor: next, ...facts } = readPart(call, { limit: Math.min(limit, PART), cursor });
  while (next !== undefined && operations.length < limit) {
    await nextTurn();
    const part = readPart(call, { limit: Math.min(limit - operations.length, PART), cursor: next });
    operations = [...operations, ...part.operations];
    next = part.cursor;
  }
  return answer({ operations, ...facts, ...(next === undefined ? {} : { cursor: next }) });
};

function readPart({ runtime, params, query }: ActionCall<Routes["getHistory"]>, part: PageQuery) {
  const until = performance.now() + PART_MS;
  return runtime.store.names(params.id, (scope) => {
    const { history } = scope;
    const all = query.all ? allOperations(history, part.cursor) : historySteps(history, part.cursor);
    const page = pageOf(
      all,
      ({ operation }) => operation.id,
      part,
      () => performance.now() > until,
    );
    const { database } = runtime.store.partOf(params.id);
    const operations = page.items.map(({ operation, undone }) => {
      const files = query.files ? countFiles(database, history, operation, !query.all) : undefined;
      return { ...operationJson(operation, scope), undone, files };
    });
    const { head } = history.state;
    const can = { can_undo: canUndo(history), can_redo: canRedo(history) };
    const stands_at = query.all ? head : standsAt(history);
    return { operations, ...can, head, stands_at, ...cursorOf(page) };
  });
}
