import { promptForm } from "@retake/tui/text";

/** How a command is typed where a text is read: `retake undo` in a shell, `/undo` in the prompt. */
export type HintForm = "shell" | "prompt";

/** A text of ours in the form of the place where it is read. All hints and messages go through this. */
export function inForm(form: HintForm, text: string): string {
  return form === "shell" ? text : promptForm(text);
}
