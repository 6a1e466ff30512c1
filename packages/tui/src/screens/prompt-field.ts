/** The text field of the prompt, with what completes it or is found for it below. */
import { runningTurn } from "@retake/core";
import { fit, type Line, line, span } from "../draw/line.ts";
import { foundPrompts } from "../model/found-prompts.ts";
import type { Model } from "../model/model.ts";
import { type ComposerLines, composerLines } from "./composer-lines.ts";
import { PLACEHOLDER, separator } from "./opening-view.ts";

/** At most so many lines of the text, those around the cursor, below a line that separates them. */
export function promptField(model: Model, most: number): ComposerLines {
  const { columns } = model.size;
  const { lines, row, column } = composerLines(model.composer, columns, placeholder(model));
  const start = Math.max(0, Math.min(row - most + 1, lines.length - most));
  return {
    lines: [separator(columns), ...lines.slice(start, start + most), ...completionLines(model, columns)],
    row: 1 + row - start,
    column: Math.min(column, columns - 1),
  };
}

function placeholder({ state, view, thread }: Model): string {
  if (state === "moving") return "Tab to write";
  const isRunning = view && runningTurn(view.state, view.take) !== undefined;
  if (isRunning) return "Write the next prompt; it waits until this turn ends";
  return thread === undefined ? PLACEHOLDER : "Write a prompt, / for commands, @ for files, ! for a shell command";
}

function completionLines({ completion, prompts, size: { rows } }: Model, width: number): Line[] {
  if (prompts.search !== undefined) {
    const found = foundPrompts(prompts);
    return [
      line(span(`  search of your prompts: ${prompts.search}`, "accent")),
      ...found.map((each, at) =>
        line(
          span(
            `  ${at === (prompts.at ?? 0) ? "›" : " "} ${each.replace(/\s+/g, " ")}`,
            at === (prompts.at ?? 0) ? "strong" : "quiet",
          ),
        ),
      ),
    ];
  }
  if (!completion) return [];
  const { choices, selected } = completion;
  // On a small terminal the conversation keeps most of the room.
  const most = Math.max(2, Math.min(6, Math.floor(rows / 4)));
  const start = Math.max(0, selected - most + 1);
  const wide = Math.min(40, Math.max(...choices.map(({ word }) => word.length)) + 1);
  const lines = choices.slice(start, start + most).map(({ word, about = "" }, at) => {
    const isSelected = start + at === selected;
    const shown = line(span(`  ${word.padEnd(wide)} `, isSelected ? "selected" : "accent"), span(about, "quiet"));
    return fit(shown, width);
  });
  return choices.length > most
    ? [...lines, line(span(`  ${selected + 1} of ${choices.length}: type on, or ↓`, "quiet"))]
    : lines;
}
