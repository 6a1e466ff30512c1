import { bytePath } from "@retake/workspace";
import { takenBackOutcome } from "../../answers/taken-back-answer.ts";
import type { TakenBack } from "../../undo/take-back.ts";
import type { TakeBackOptions, Workspace } from "../../workspace/open-workspace.ts";
import type { ActionContext } from "../action.ts";

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

export interface FilesBody {
  readonly dry_run?: boolean | undefined;
  readonly on_conflict?: "abort" | "keep" | "merge" | "overwrite" | undefined;
  readonly paths?: readonly string[] | undefined;
}

export type TakeBackAsked = Pick<ActionContext, "runtime" | "change" | "signal"> & { readonly body: FilesBody };

export function optionsOf({ runtime, body, change, signal }: TakeBackAsked, thread: string): TakeBackOptions {
  return {
    ...change,
    ...runtime.restoring(thread, signal),
    dryRun: body.dry_run === true,
    ...(body.on_conflict === undefined ? {} : { onConflict: body.on_conflict }),
    ...(body.paths === undefined ? {} : { paths: body.paths.map(bytePath) }),
  };
}
