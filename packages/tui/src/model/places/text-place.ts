/** Lines to read: the output of a command, or help. */
import { type Line, line, span } from "../../draw/line.ts";
import { insertText } from "../composer.ts";
import { draftLater } from "../draft.ts";
import { call } from "../effect.ts";
import type { Model, TextPlace } from "../model.ts";
import { popPlace, replacePlace, type Step, step, topPlace } from "../step.ts";

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
  const place = topPlace(model);
  if (place?.kind !== "text") return step(model);
  const quoted = ((place.quoted ?? "") + text).slice(-MOST_TEXT);
  const lines = quoted
    .replace(/\n$/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((each) => line(each));
  return step(replacePlace(model, { ...place, lines, quoted }));
}

export function commandEnded(model: Model, code: number): Step {
  const place = topPlace(model);
  // The command may have changed which thread is the current one, the model, or what is asked about.
  const { root } = model.status;
  const fresh = [
    call("getWorkspaceStatus", [{ workspace: root }], { for: "thread" }),
    call("getApprovals", [{ workspace: root }], { for: "approvals" }),
  ];
  if (place?.kind !== "text") return step(model, ...fresh);
  const end = code === 0 ? [] : [line(span(`ended with ${code}`, "error"))];
  const lines = place.lines.length === 0 && code === 0 ? [line(span("Done.", "quiet"))] : [...place.lines, ...end];
  return step(replacePlace(model, { ...place, lines, isRunning: false }), ...fresh);
}

/** `p` puts what is shown into the draft, for the model. */
export function quote(model: Model, place: TextPlace): Step {
  const text = `${place.title}\n${place.quoted ?? ""}`.trimEnd();
  const composer = insertText(model.composer, `\`\`\`\n${text}\n\`\`\`\n`);
  const next: Model = { ...popPlace(model), composer, state: "typing" };
  return step(next, ...draftLater(next));
}
