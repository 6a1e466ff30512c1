import { activeTake, awaitedApprovals, type History, recordsOf, runningTurn, turn } from "@retake/core";
import type { QueuedTurn } from "../host/turn-queue.ts";
import type { Page } from "./list-page.ts";

export interface TurnQuery {
  readonly limit?: number | undefined;
  /** The turn that the page comes after. */
  readonly cursor?: string | undefined;
}

/**
 * The turns of the active take with what they wait for, by their ids, which sort as they began; then those that wait for
 * their turn. Only the page is read. Undefined where the cursor is no turn of either.
 */
export function turnsPage(
  { state }: History,
  queued: readonly QueuedTurn[],
  query: TurnQuery,
): Page<object> | undefined {
  const { limit = Number.POSITIVE_INFINITY, cursor } = query;
  const take = activeTake(state);
  const waiting = queued.filter(({ id }) => turn(state, take, id) === undefined);
  const place = cursor === undefined ? -1 : waiting.findIndex(({ id }) => id === cursor);
  if (cursor !== undefined && place < 0 && !turn(state, take, cursor)) return undefined;
  const items: { readonly id: string }[] = [];
  if (place < 0)
    for (const [id] of recordsOf(state, take, "turn", cursor)) {
      if (id === cursor) continue;
      if (items.length > limit) break;
      items.push(turnAnswer({ state }, id, undefined));
    }
  for (const each of waiting.slice(place + 1)) if (items.length <= limit) items.push(queuedJson(each));
  const more = items.length > limit;
  if (more) items.length = limit;
  const last = items.at(-1);
  return { items, ...(more && last ? { cursor: last.id } : {}) };
}

/** One turn as it is recorded, or as it waits. */
export function turnAnswer({ state }: Pick<History, "state">, id: string, queued: QueuedTurn | undefined) {
  const take = activeTake(state);
  const record = turn(state, take, id);
  if (!record) return queued ? queuedJson(queued) : { id, prompt: "", status: "not-started", approvals: [] };
  const approvals = awaitedApprovals(state, take).filter(({ turn_id }) => turn_id === id);
  return {
    ...record,
    id,
    // After a jump into the middle of a turn, its record is what it was then; nobody runs it.
    ...(record.status === "running" && runningTurn(state, take) !== id ? { status: "interrupted" as const } : {}),
    approvals: approvals.map(({ turn_id: _, ...approval }) => approval),
  };
}

function queuedJson({ thread: _, ...turn }: QueuedTurn) {
  return { ...turn, approvals: [] };
}
