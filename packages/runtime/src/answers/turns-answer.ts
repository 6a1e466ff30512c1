import {
  activeTake,
  awaitedApprovals,
  type History,
  recordsBack,
  recordsOf,
  runningTurn,
  turn,
  turnName,
} from "@retake/core";
import type { ApprovalQuestion } from "../runner/turn.ts";
import type { Page } from "./list-page.ts";

/** A turn that waits, runs, is paused because its process ended before it began, or was not started. */
export interface QueuedTurn {
  readonly id: string;
  readonly thread: string;
  readonly prompt: string;
  readonly model: string;
  readonly status: "queued" | "paused" | "running" | "finished" | "not-started";
  readonly failure?: { readonly code: string; readonly message: string } | undefined;
  /** Present while it waits for its next try, as the event `retry` says. */
  readonly retry?: RetryWait | undefined;
  /** The questions that wait for an answer, as their events said them. */
  readonly questions?: readonly ApprovalQuestion[];
}

export interface RetryWait {
  readonly message: string;
  readonly retry_at: number;
  readonly attempt: number;
  readonly attempts: number;
}

export interface TurnQuery {
  readonly limit?: number | undefined;
  /** The turn that the page comes after. */
  readonly cursor?: string | undefined;
  /** The turn that the page comes before. */
  readonly before?: string | undefined;
  /** So many, at the end. */
  readonly last?: number | undefined;
}

export interface TurnPage extends Page<object> {
  readonly more_before: boolean;
}

/**
 * The turns of the active take with what they wait for, by their ids, which sort as they began; then those that wait for
 * their turn. Only the page is read. Undefined where the turn that it begins at is none of either.
 */
export function turnsPage(history: History, queued: readonly QueuedTurn[], query: TurnQuery): TurnPage | undefined {
  const { state } = history;
  const { last, limit = last ?? Number.POSITIVE_INFINITY, cursor, before } = query;
  const take = activeTake(state);
  const back = last !== undefined || before !== undefined;
  const waiting = queued.filter(({ id }) => turn(state, take, id) === undefined);
  const begin = cursor ?? before;
  if (begin !== undefined && !turn(state, take, begin) && !waiting.some(({ id }) => id === begin)) return undefined;
  const items: ListedTurn[] = [];
  for (const each of back ? turnsBack(history, waiting, before) : turnsFrom(history, waiting, cursor)) {
    items.push(each);
    if (items.length > limit) break;
  }
  const more = items.length > limit;
  if (more) items.pop();
  if (back) items.reverse();
  const end = items.at(-1);
  const here = new Map(queued.map((each) => [each.id, each]));
  return {
    items: items.map((each) => withLive(each, here.get(each.id))),
    more_before: back ? more : cursor !== undefined,
    ...(more && end && !back ? { cursor: end.id } : {}),
  };
}

/** The turns after one, or all. */
function* turnsFrom(
  { state }: History,
  waiting: readonly QueuedTurn[],
  after: string | undefined,
): IterableIterator<ListedTurn> {
  const place = waiting.findIndex(({ id }) => id === after);
  if (place < 0)
    for (const [id] of recordsOf(state, activeTake(state), "turn", after))
      if (id !== after) yield turnAnswer({ state }, id, undefined);
  yield* waiting.slice(place + 1).map(queuedJson);
}

/** The turns before one, or all, from the last one back. */
function* turnsBack(
  { state }: History,
  waiting: readonly QueuedTurn[],
  before: string | undefined,
): IterableIterator<ListedTurn> {
  const place = waiting.findIndex(({ id }) => id === before);
  const isRecorded = before !== undefined && place < 0;
  if (!isRecorded)
    yield* waiting
      .slice(0, place < 0 ? undefined : place)
      .map(queuedJson)
      .reverse();
  for (const [id] of recordsBack(state, activeTake(state), "turn", isRecorded ? before : undefined))
    yield turnAnswer({ state }, id, undefined);
}

/** One turn, recorded or queued. */
export function turnAnswer({ state }: Pick<History, "state">, id: string, queued: QueuedTurn | undefined) {
  const take = activeTake(state);
  const record = turn(state, take, id);
  if (!record) return queued ? queuedJson(queued) : { id, prompt: "", status: "not-started", approvals: [] };
  const approvals = awaitedApprovals(state, take).filter(({ turn_id }) => turn_id === id);
  return {
    ...record,
    id,
    name: turnName(record.number),
    // A jump into the middle of a turn restores its earlier record, but the turn does not run.
    ...(record.status === "running" && runningTurn(state, take) !== id ? { status: "interrupted" as const } : {}),
    approvals: approvals.map(({ turn_id: _, ...approval }) => approval),
  };
}

interface ListedTurn {
  readonly id: string;
  readonly retry?: RetryWait | undefined;
  readonly approvals: readonly { readonly call_id: string }[];
}

/** With what only this process knows: a client that begins to listen has missed the events that said it. */
function withLive(turn: ListedTurn, live: QueuedTurn | undefined): ListedTurn {
  if (!live) return turn;
  const details = new Map(live.questions?.map(({ call_id, directory, preview }) => [call_id, { directory, preview }]));
  return {
    ...turn,
    retry: live.retry,
    approvals: turn.approvals.map((approval) => ({ ...approval, ...details.get(approval.call_id) })),
  };
}

function queuedJson({ thread: _, questions: __, ...turn }: QueuedTurn) {
  return { ...turn, approvals: [] };
}
