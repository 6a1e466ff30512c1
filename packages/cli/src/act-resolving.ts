import type { Action, ActionAnswer } from "@retake/runtime/actions";
import { act } from "./act.ts";
import { type Call, CommandError } from "./command.ts";
import type { ConflictBody } from "./conflict-options.ts";
import { type Conflicting, fileLines } from "./file-lines.ts";
import { keepDraft } from "./keep-draft.ts";

type Resolvable =
  | "undo"
  | "redo"
  | "revert"
  | "jump"
  | "restoreSnapshot"
  | "takeOver"
  | "bringFiles"
  | "switchTake"
  | "deleteTake"
  | "branch";

/**
 * Runs an action that may meet conflicts. Where somebody sits at the terminal and has named no policy, each conflict is shown and
 * asked about, and exactly the plan that was shown is carried out. A dry run shows the whole plan also when it conflicts.
 */
export async function actResolving<Name extends Resolvable>(
  call: Call,
  action: Action<Name>,
  input: Parameters<typeof act<Name>>[2] & { readonly body: ConflictBody },
): Promise<ActionAnswer<Name>> {
  const { output, world } = call;
  const { body } = input;
  try {
    return await act(call, action, input);
  } catch (error) {
    if (!isConflict(error) || output.json) throw error;
    if (body.dry_run) for (const line of fileLines(call, error.details)) output.line(line);
    if (body.dry_run || body.on_conflict !== undefined || !world.terminal || output.width === Number.POSITIVE_INFINITY)
      throw error;
    const { conflicts, plan_id } = await detailsOf(
      act(call, action, { ...input, body: { ...body, dry_run: true, detail: true } }),
      error,
    );
    const { askResolutions } = await import("./ask-resolutions.ts");
    const asked = conflicts.filter(({ path }) => !body.resolutions?.some((each) => each.path === path));
    let typed = "";
    const keep = (text: string) => {
      typed += text;
    };
    try {
      const answers = await askResolutions(output, world.terminal, asked, keep);
      const resolutions = [...(body.resolutions ?? []), ...answers];
      return await act(call, action, { ...input, body: { ...body, plan_id, resolutions } });
    } finally {
      // Only now: a change of the draft would make another plan.
      const thread = call.workspace.currentThread();
      if (thread) await keepDraft(call, thread.id, typed);
    }
  }
}

type ConflictError = CommandError & { readonly details: Conflicting };

function isConflict(error: unknown): error is ConflictError {
  return error instanceof CommandError && error.code === "conflict" && error.details !== undefined;
}

/** The dry run of a call that conflicts conflicts as well, and says more. */
async function detailsOf(dryRun: Promise<unknown>, otherwise: ConflictError): Promise<Conflicting> {
  const error = await dryRun.then(
    () => otherwise,
    (thrown: unknown) => thrown,
  );
  if (isConflict(error)) return error.details;
  throw error;
}
