import { type Line, line, span, wrapLine } from "../draw/line.ts";
import type { Model } from "../model/model.ts";
import { undoWords } from "../text/undo-words.ts";

/** The first screen of a new user, in the place of a conversation. */
export function welcomeLines({ status, thread, view, isOpen, ctrlZ }: Model, width: number, height: number): Line[] {
  if (!isOpen || (thread !== undefined && !view)) return [];
  const isScripted = status.model === "" || status.model.startsWith("scripted/");
  const text: Line[] = [
    [],
    line(span("  Retake: everything can be taken back.", "strong")),
    [],
    line(`  ${undoWords(HOW, ctrlZ)}`),
    ...(isScripted
      ? [
          [],
          line(span("  No model is configured, so the scripted one answers. It understands, one a line:", "quiet")),
          line(span("    write hello.txt: Hello!", "code")),
          line(span("    append hello.txt: more", "code")),
          line(span("    run ls", "code")),
          line(span("    delete hello.txt", "code")),
        ]
      : []),
  ];
  return text.flatMap((each) => wrapLine(each, width, [span("  ")])).slice(0, height);
}

/** One paragraph: it is wrapped at the width that there is. */
const HOW =
  "Write what you want done, and press Enter. Esc Esc shows the turns and takes them back, with their files. " +
  "Ctrl+Z undoes the last step, Ctrl+Y brings it back. ? shows the keys.";
