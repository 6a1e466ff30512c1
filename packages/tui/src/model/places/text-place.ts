/** Lines to read: the output of a command, or help. */
import { type Line, line, span } from "../../draw/line.ts";
import { insertText } from "../composer.ts";
import { draftLater } from "../draft.ts";
import { call } from "../effect.ts";
import type { Model, TextPlace } from "../model.ts";
import { popPlace, type Step, step } from "../step.ts";

export function textPlace(title: string, isRunning: boolean, lines: readonly Line[] = []): TextPlace {
  return { kind: "text", title, lines, isRunning, isShell: false, scroll: 0, quoted: "" };
}

/** The output of a shell command of the user, which runs. */
export function shellPlace(command: string): TextPlace {
  return { ...textPlace(`! ${command}`, true), isShell: true };
}

/** The most of a command's output that is held. */
const MOST_TEXT = 500_000;

export function printed(model: Model, text: string): Step {
  const { at, place } = runningPlace(model);
  if (!place) return step(model);
  const quoted = ((place.quoted ?? "") + text).slice(-MOST_TEXT);
  const lines = quoted
    .replace(/\n$/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((each) => line(each));
  return step({ ...model, places: model.places.with(at, { ...place, lines, quoted }) });
}

/** The place of the command that runs; undefined where the user has closed it. */
function runningPlace({ places }: Model): { readonly at: number; readonly place: TextPlace | undefined } {
  const at = places.findLastIndex((place) => place.kind === "text" && place.isRunning);
  const place = places[at];
  return { at, place: place?.kind === "text" ? place : undefined };
}

export function commandEnded(model: Model, code: number): Step {
  const { at, place } = runningPlace(model);
  // The command may have changed which thread is the current one, the model, or what is asked about.
  const { root } = model.status;
  const fresh = [
    call("getWorkspaceStatus", [{ workspace: root }], { for: "thread" }),
    call("getApprovals", [{ workspace: root }], { for: "approvals" }),
  ];
  if (!place) return step(model, ...fresh);
  const end = code === 0 ? [] : [line(span(`ended with ${code}`, "error"))];
  const lines = place.lines.length === 0 && code === 0 ? [line(span("Done.", "quiet"))] : [...place.lines, ...end];
  return step({ ...model, places: model.places.with(at, { ...place, lines, isRunning: false }) }, ...fresh);
}

/** Puts what is shown into the prompt, for the model. */
export function quote(model: Model, place: TextPlace): Step {
  const text = `${place.title}\n${place.quoted ?? ""}`.trimEnd();
  const { text: prompt, cursor } = model.composer;
  const isInLine = cursor > 0 && prompt[cursor - 1] !== "\n";
  const composer = insertText(model.composer, `${isInLine ? "\n" : ""}\`\`\`\n${text}\n\`\`\`\n`);
  const next: Model = { ...popPlace(model), composer, state: "typing" };
  return step(next, ...draftLater(next));
}
