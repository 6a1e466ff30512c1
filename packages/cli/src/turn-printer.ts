import { entryName } from "@retake/core";
import type { TurnEvent } from "@retake/runtime";
import { cut } from "@retake/tui/text";
import { noticeLine } from "./notice-line.ts";
import type { Line, Output } from "./output.ts";
import { receiptLines } from "./receipt-lines.ts";
import { used } from "./used.ts";

/** Prints a turn as it runs: for a person, or one event a line. */
export class TurnPrinter {
  readonly #output: Output;
  /** Whether the cursor stands after text that has no line end yet. */
  #open = false;
  /** The results of calls whose output was shown as it came. */
  readonly #shown = new Set<string>();

  constructor(output: Output) {
    this.#output = output;
  }

  print(event: TurnEvent): void {
    if (this.#output.json) this.#output.say(event, () => []);
    else this.#show(event);
  }

  #show(event: TurnEvent): void {
    const output = this.#output;
    switch (event.type) {
      case "text":
        output.write(event.text);
        this.#open = !event.text.endsWith("\n");
        break;
      case "tool-started":
        this.#line(
          `${output.style("cyan", "●")} ${event.name} ${output.style("dim", summary(event, output.width - 12))}`,
        );
        for (const notice of event.notices) this.#line(noticeLine(output, notice));
        break;
      case "tool-output":
        this.#shown.add(event.entry);
        this.#line({ verbatim: output.style("dim", event.text.trimEnd().replace(/^/gm, "  ")) });
        break;
      case "tool-ended":
        if (event.status !== "completed") this.#showEnd(event);
        break;
      case "notice":
        this.#line(output.style("yellow", event.message));
        break;
      case "retry":
        this.#line(output.style("yellow", event.message));
        this.#line(output.hint(`attempt ${event.attempt} of ${event.attempts} ${output.until(event.retry_at)}`));
        break;
      case "turn-finished": {
        this.#line("");
        const { turn_id, turn_name = "" } = event;
        const number = Number(turn_name.slice(1)) || undefined;
        const nameOf = (entry: string) => entryName(entry, (turn) => (turn === turn_id ? number : undefined));
        if (event.receipt) for (const line of receiptLines(output, event.receipt, nameOf)) this.#line(line);
        const which = turn_name === "" ? "" : `${turn_name} `;
        const how = HOW_ENDED[event.status] ?? `The turn ended: ${event.status}. `;
        this.#line(
          output.style(
            "dim",
            output.inForm(`${which}${how}${used(event.usage, event.cost)}. Take it back: retake undo`),
          ),
        );
        break;
      }
      case "answer-discarded":
        this.#line("");
        break;
      case "turn-started":
      case "thinking":
        break;
    }
  }

  /** The end of a call that did not complete. Its last line says why; the lines before may have been shown already. */
  #showEnd({ entry, status, content }: Extract<TurnEvent, { type: "tool-ended" }>): void {
    const output = this.#output;
    const lines = content.trimEnd().split("\n");
    const [first = "", ...rest] = lines.slice(this.#shown.has(entry) ? -1 : -MOST_LINES);
    this.#line(`  ${output.style("red", status)} ${cut(first, output.width - 14)}`);
    for (const line of rest) this.#line(output.style("dim", `  ${cut(line, output.width - 2)}`));
  }

  #line(line: Line): void {
    if (this.#open) this.#output.line();
    this.#open = false;
    if (line !== "") this.#output.line(line);
  }
}

const HOW_ENDED: Readonly<Record<string, string>> = {
  finished: "",
  "cut-off": "The answer was cut off: it reached max_tokens. ",
  refused: "The model declined to answer. ",
  "step-limit": "The turn ended: it used all its steps. ",
  interrupted: "The turn was interrupted. ",
  failed: "The turn failed. ",
};

/** The limit for the output of a failed call. */
const MOST_LINES = 12;

function summary({ name, input }: Extract<TurnEvent, { type: "tool-started" }>, width: number): string {
  const { command, background } = input;
  // The other inputs of a command would read as parts of it.
  const shown = name === "bash" && typeof command === "string" ? [command] : Object.values(input);
  const note = name === "bash" && background === true ? " (in the background)" : "";
  const words = shown.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(" ");
  return `${cut(words.replace(/\s+/g, " ").trim(), width - note.length)}${note}`;
}
