/** Takes in the answers of calls, and their refusals. */
import type { SyncSummary, TakenBack } from "@retake/client/screen";
import { dryRun, sendHeld } from "./actions.ts";
import { draftLater, draftSaved } from "./draft.ts";
import { call, type Event, type Tag } from "./effect.ts";
import type { Model } from "./model.ts";
import { detailLoaded, listLoaded, reloadPlace } from "./places/list-place.ts";
import { carriedOut, planned } from "./places/plan-place.ts";
import { threadDeleted } from "./places/threads.ts";
import { inFront, type ListedTurn, queueKnown, unqueued } from "./queue.ts";
import { showThread } from "./shown-thread.ts";
import { andThen, popPlace, replacePlace, type Step, say, sayStep, step, topPlace } from "./step.ts";

interface WorkspaceStatus {
  readonly thread: { readonly id: string; readonly title: string; readonly private?: boolean } | null;
  readonly git: { readonly branch: string | null; readonly dirty: boolean | null } | null;
  readonly model: string;
  readonly sync: SyncSummary;
}

export function answered(before: Model, tag: Tag, answer: unknown): Step {
  const model: Model = tag.for === "done" || tag.for === "plan" ? { ...before, progress: undefined } : before;
  switch (tag.for) {
    case "status":
    case "thread":
      return statusKnown(model, tag.for, answer as WorkspaceStatus);
    case "approvals": {
      const { mode, confinement } = answer as { mode: string; confinement: { kind: string } };
      const words = confinement.kind === "none" ? "not confined" : `confined by ${confinement.kind}`;
      return step({ ...model, status: { ...model.status, mode, confinement: words } });
    }
    case "usage": {
      const { cost } = answer as { readonly cost?: number };
      return step(tag.thread === model.thread ? { ...model, status: { ...model.status, cost } } : model);
    }
    case "changes": {
      const { files, total } = answer as { files: readonly { additions: number; deletions: number }[]; total: number };
      const sum = (of: "additions" | "deletions") => files.reduce((all, file) => all + file[of], 0);
      const changes = new Map(model.changes).set(tag.turn, {
        files: total,
        additions: sum("additions"),
        deletions: sum("deletions"),
      });
      return step({ ...model, changes });
    }
    case "list":
      return listLoaded(model, tag, answer);
    case "detail":
      return detailLoaded(model, tag, answer);
    case "plan":
      return planned(model, tag.request, answer as TakenBack);
    case "done":
      return carriedOut(model, tag.request, answer as TakenBack);
    case "changed": {
      const { message, description, op_id } = answer as {
        message?: string;
        description?: string;
        op_id?: string | null;
      };
      const text = op_id === null ? (message ?? "Nothing was to be done.") : (tag.say ?? description ?? "");
      const reloaded = tag.reload === undefined ? step(model) : reloadPlace(model, tag.reload);
      return text === "" ? reloaded : andThen(reloaded, (next) => (op_id === null ? say : sayStep)(next, text));
    }
    case "thread-deleted":
      return threadDeleted(model, tag, (answer as { readonly still_shared?: boolean }).still_shared);
    case "draft":
      return draftSaved(model, tag.take, (answer as { readonly version: number }).version);
    case "sent":
      return model.held ? sendHeld(model) : step(model);
    case "queue":
      return tag.thread === model.thread
        ? queueKnown(model, (answer as { readonly turns: readonly ListedTurn[] }).turns)
        : step(model);
    case "unqueued":
      return unqueued(model, tag);
    case "decided":
    case "interrupted":
    case "nothing":
      return step(model);
  }
}

function statusKnown(
  model: Model,
  what: "status" | "thread",
  { thread, git, model: name, sync }: WorkspaceStatus,
): Step {
  const status = { ...model.status, branch: git?.branch ?? undefined, isDirty: git?.dirty === true, model: name, sync };
  const isOther = what === "thread" && thread !== null && thread.id !== model.thread;
  const next: Model = {
    ...model,
    status,
    isPrivate: thread?.id === model.thread ? thread?.private === true : model.isPrivate,
  };
  if (!isOther || !thread) return step(next);
  return showThread({ ...next, isPrivate: thread.private === true }, thread.id);
}

export function failed(before: Model, { tag, code, message, details }: Extract<Event, { type: "failed" }>): Step {
  const model: Model = tag.for === "done" || tag.for === "plan" ? { ...before, quick: undefined } : before;
  switch (tag.for) {
    // A failure of a call that only the status line needs is not shown.
    case "status":
    case "thread":
    case "approvals":
    case "usage":
    case "queue":
    case "changes":
      return step(model);
    case "interrupted":
      // The turn runs in another process: that one is told to stop it.
      if (code !== "no-such-turn") return say(model, message, "error");
      return step(model, call("stopTurns", [{ workspace: model.status.root, thread: tag.thread }], { for: "nothing" }));
    case "decided":
      if (code !== "not-found") return say(model, message, "error");
      return step({ ...model, elsewhere: tag.call });
    case "unqueued":
      return say({ ...model, queue: model.queue.filter(({ turn }) => turn !== tag.turn) }, message, "warning");
    case "draft":
      return draftSaved(model, tag.take);
    case "sent": {
      const { composer, held = [] } = model;
      // No prompt that waited for this one is lost either.
      const prompts = [tag.prompt, ...held.map(({ prompt }) => prompt)].join("\n");
      const next: Model = { ...model, held: undefined, composer: inFront(composer, prompts) };
      return say(next, message, "error", ...draftLater(next));
    }
    case "list": {
      const isOpen = topPlace(model)?.kind === "list";
      return say(isOpen ? popPlace(model) : model, message, "error");
    }
    case "plan":
      if (code === "conflict" && details) return planned(model, tag.request, details as TakenBack);
      return say(topPlace(model)?.kind === "plan" ? popPlace(model) : model, message, "error");
    case "done": {
      const place = topPlace(model);
      const isStale = code === "stale-plan";
      if ((isStale || code === "conflict") && model.thread !== undefined && place?.kind === "plan")
        return say(
          replacePlace(model, { ...place, plan: undefined }),
          isStale ? "Something changed meanwhile: look again. Nothing was done." : message,
          "warning",
          dryRun(model.thread, tag.request),
        );
      return say(model, message, "error");
    }
    default:
      return say(model, message, "error");
  }
}

/** The calls with which a screen begins. */
export function firstEffects({ status }: Model) {
  return [
    call("getWorkspaceStatus", [{ workspace: status.root }], { for: "status" }),
    call("getApprovals", [{ workspace: status.root }], { for: "approvals" }),
  ];
}
