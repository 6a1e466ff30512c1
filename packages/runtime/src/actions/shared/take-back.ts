import type { Routes } from "@retake/client/routes";
import { isRefusal, localId, spaceId } from "@retake/core";
import { bytePath, type Resolution } from "@retake/workspace";
import { takenBackOutcome } from "../../answers/taken-back-answer.ts";
import { findEntry } from "../../names/find-entry.ts";
import type { TakeBackResult } from "../../undo/take-back.ts";
import type { TakeBackOptions, Workspace } from "../../workspace/open-workspace.ts";
import type { ActionContext, ActionInput } from "../action.ts";

/** Takes back in the thread's own workspace, and returns the answer. */
export function takeBack(
  call: TakeBackCall,
  thread: string,
  work: (workspace: Workspace, options: TakeBackOptions) => Promise<TakeBackResult>,
) {
  const options = optionsOf(call, thread);
  return call.runtime.work(thread, async (workspace) =>
    takenBackOutcome(workspace.store, thread, await work(workspace, options)),
  );
}

type FilesBody = Omit<ActionInput<Routes["revert"]>["body"], "op" | "turn" | "until" | "call">;
type Use = NonNullable<FilesBody["resolutions"]>[number]["use"];

export type TakeBackCall = Pick<ActionContext, "runtime" | "change" | "signal"> & { readonly body: FilesBody };

export function optionsOf(call: TakeBackCall, thread: string): TakeBackOptions {
  const { runtime, body, change, signal } = call;
  return {
    ...change,
    ...runtime.restoring(thread, signal),
    dryRun: body.dry_run === true,
    ...(body.on_conflict === undefined ? {} : { onConflict: body.on_conflict }),
    ...(body.paths === undefined ? {} : { paths: body.paths.map(bytePath) }),
    ...(body.hunks === undefined
      ? {}
      : { hunks: new Map(body.hunks.map(({ path, edits }) => [bytePath(path), edits])) }),
    ...(body.plan_id === undefined ? {} : { planId: body.plan_id }),
    detail: body.detail === true,
    resolutions: new Map(
      (body.resolutions ?? []).map(({ path, use }) => [pathOf(call, thread, path), resolutionOf(use)]),
    ),
  };
}

/** `#7.2` is the record of that entry. */
function pathOf({ runtime }: TakeBackCall, thread: string, path: string): string {
  if (!path.startsWith("#")) return path;
  const found = runtime.store.names(thread, (scope) => findEntry(scope, path));
  return isRefusal(found) ? path : localId(spaceId("", "entry", found.id));
}

const RESOLUTION = { mine: "keep", theirs: "overwrite", merged: "merge" } as const;

function resolutionOf(use: Use): Resolution {
  return typeof use === "string" ? RESOLUTION[use] : Buffer.from(use.content);
}
