import { type Built, build, type Context } from "../session/draft.ts";
import { spaceId } from "../session/record.ts";
import { refuse } from "../session/refusal.ts";
import type { State } from "../session/state.ts";
import { labelled, maybe, text } from "../values/check.ts";
import { nameProblem } from "../values/text.ts";
import { whileRunning } from "./whole-conversation.ts";

/** U4: records changes that were made to the workspace from outside, before any other operation on the files. */
export function noteFilesEdited(
  state: State,
  context: Context,
  input: { readonly tree: string; readonly description?: string },
): Built {
  return build(state, context, (draft) => {
    const problem =
      labelled("The tree's id", nameProblem(input.tree)) ??
      labelled("The description", maybe(text())(input.description));
    if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
    draft.put(spaceId(draft.take, "workspace"), { tree: input.tree });
    return { kind: "files-edited", description: input.description ?? "Files changed outside of Retake" };
  });
}

/** P4: records that the files of a snapshot were restored; `tree` is the workspace's tree now. */
export function restoreFiles(
  state: State,
  context: Context,
  input: { readonly tree: string; readonly snapshot: string },
): Built {
  return build(state, context, (draft) => {
    const running = whileRunning(draft);
    if (running) return running;
    const problem = nameProblem(input.tree) ?? nameProblem(input.snapshot);
    if (problem) return refuse("invalid-input", `The tree's or snapshot's id ${problem}. Nothing was changed.`);
    draft.put(spaceId(draft.take, "workspace"), { tree: input.tree });
    return { kind: "files-restored", description: `Restore files from ${input.snapshot}` };
  });
}
