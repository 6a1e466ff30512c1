/** Takes in the thread: its next view, and events that are in no record. */
import type { RetakeEvent, SessionView } from "@retake/client";
import { recordOf, runningTurn, turn } from "@retake/core";
import { shownRows } from "../screens/transcript.ts";
import { takeDraft } from "./draft.ts";
import { call, type Effect } from "./effect.ts";
import type { Model } from "./model.ts";
import { reloadPlace } from "./places/list-place.ts";
import { threadDeleted } from "./places/threads.ts";
import { askQueue, notBegun, paused, queueWithout, waitingIn } from "./queue.ts";
import { seek } from "./seek.ts";
import { withoutPassing } from "./shown-thread.ts";
import { andThen, type Step, say, step } from "./step.ts";

/** So many of the last turns are asked what they changed. */
const MOST_CHANGES = 30;
const STOPPED = "The turn is stopped. Its changes stay until you undo it.";

export function viewed(model: Model, view: SessionView, now: number): Step {
  return andThen(andThen(andThen(taken(model, view, now), withoutEndedTurn), toTheEnd), seek);
}

/** The end of the conversation is always in the window: a turn that begins is seen. */
function toTheEnd(model: Model): Step {
  const { view } = model;
  if (!view || view.next === null) return step(model);
  return step(model, { kind: "show", window: { from: view.from, to: null, groups: view.groups } });
}

function taken(model: Model, view: SessionView, now: number): Step {
  const before = model.view;
  const thread = recordOf(view.state, "thread");
  const title = String(thread?.["title"] ?? model.title);
  if (thread?.["deleted"] === true) return threadDeleted(model, { thread: view.thread, title });
  const drafted = takeDraft({ ...model, view, now, title });
  let next = drafted.model;
  if (before && before.take !== view.take) next = { ...next, anchor: undefined, focus: undefined };
  const isNewVersion = before?.state.version !== view.state.version;
  if (next.queue.length > 0) next = { ...next, queue: waitingIn(next) };
  if (isNewVersion && next.progress) next = { ...next, progress: undefined };
  const effects: Effect[] = [...drafted.effects];
  if (isNewVersion) {
    const asked = askChanges(next);
    next = asked.model;
    effects.push(...asked.effects);
  }
  if (isNewVersion && before && view.state.version > before.state.version) {
    const reloaded = reloadPlace(next);
    return step(reloaded.model, ...effects, ...reloaded.effects);
  }
  return step(next, ...effects);
}

/** Words about a turn that ran go with its end; those of a stop came so shortly before it that they are said again. */
function withoutEndedTurn(model: Model): Step {
  const { toast, view } = model;
  if (!view || toast?.turn === undefined || runningTurn(view.state, view.take) === toast.turn) return step(model);
  const wasStopped = turn(view.state, view.take, toast.turn)?.status === "interrupted";
  return wasStopped ? say(model, STOPPED) : step({ ...model, toast: undefined });
}

/** The mode may have been changed elsewhere. */
function askApprovals({ status }: Model): Effect {
  return call("getApprovals", [{ workspace: status.root }], { for: "approvals" });
}

/** The cost of the whole thread, undone turns included. */
function askUsage(thread: string): Effect {
  return call("getUsage", [thread], { for: "usage", thread });
}

/** Another thread is shown from now on. */
export function followed(model: Model, thread: string): Step {
  const next: Model = { ...withoutPassing(model), thread, status: { ...model.status, cost: undefined } };
  return step(next, askUsage(thread), askQueue(thread));
}

/** Asks what turns changed that ended and are not known yet. */
function askChanges(model: Model): Step {
  const { thread } = model;
  if (thread === undefined) return step(model);
  const turns = shownRows(model)
    .flatMap((row) => (row.kind === "turn" ? [row.turn] : []))
    .slice(-MOST_CHANGES)
    .filter(
      ({ id, status, receipt }) =>
        status !== "running" && (receipt?.files_changed.length ?? 0) > 0 && !model.changes.has(id),
    );
  if (turns.length === 0) return step(model);
  const changes = new Map(model.changes);
  for (const { id } of turns) changes.set(id, "asked");
  return step(
    { ...model, changes },
    ...turns.map(({ id, number }) =>
      call("diffThread", [thread, { from: `#${number}^`, to: `#${number}` }], { for: "changes", turn: id }),
    ),
  );
}

export function told(model: Model, event: RetakeEvent): Step {
  switch (event.type) {
    case "approval-asked":
      return step({ ...model, questions: new Map(model.questions).set(event.call_id, event) }, askApprovals(model));
    case "approval-given":
      return event.decision === "deny" ? say(model, "Denied.", "warning") : step(model);
    case "turn-queued":
      return step({
        ...model,
        queue: [...queueWithout(model, event.turn_id), { turn: event.turn_id, prompt: event.prompt }],
      });
    case "turn-started":
      return step({ ...model, queue: queueWithout(model, event.turn_id), retry: undefined, lastKey: "" });
    case "turn-not-started":
      if (event.code === "paused") return paused(model, event.turn_id);
      return event.code === "removed"
        ? step({ ...model, queue: queueWithout(model, event.turn_id) })
        : andThen(notBegun(model, event.turn_id), (next) => say(next, event.message, "error"));
    case "retry":
      return step({
        ...model,
        retry: { message: event.message, at: event.retry_at, attempt: event.attempt, attempts: event.attempts },
      });
    case "text":
    case "thinking":
    case "tool-started":
      return step(model.retry || model.progress ? { ...model, retry: undefined, progress: undefined } : model);
    case "notice":
      return say(model, event.message, "warning");
    case "progress":
      if (event.files === 0) return step(model);
      return step({
        ...model,
        progress: { what: event.what === "capture" ? "Reading" : "Restoring", files: event.files, of: event.of },
      });
    case "sync-changed":
      return step({ ...model, status: { ...model.status, sync: event } });
    case "turn-finished":
      return finished(model, event);
    default:
      return step(model);
  }
}

function finished(model: Model, event: Extract<RetakeEvent, { type: "turn-finished" }>): Step {
  const next: Model = { ...model, retry: undefined, progress: undefined, questions: new Map() };
  const fresh = [
    call("getWorkspaceStatus", [{ workspace: model.status.root }], { for: "status" }),
    askApprovals(model),
    ...(model.thread === undefined ? [] : [askUsage(model.thread)]),
  ];
  const { failure } = event;
  if (failure)
    return say(next, `${String(failure["message"])} ${String(failure["advice"] ?? "")}`.trim(), "error", ...fresh);
  return step(next, ...fresh);
}
