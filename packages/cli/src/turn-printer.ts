import { NO_WORD } from "@retake/client/screen";
import { entryName, type JsonObject } from "@retake/core";
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
  /** The line that names each call. */
  readonly #names = new Map<string, string>();
  /** The call that the last lines are about. */
  #about = "";
  /** Whether the model has said something since the last call. */
  #isSaid = false;

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
        this.#isSaid ||= event.text.trim() !== "";
        this.#open = !event.text.endsWith("\n");
        this.#about = "";
        break;
      case "tool-started":
        this.#isSaid = false;
        this.#name(event);
        for (const notice of event.notices) this.#line(noticeLine(output, notice));
        break;
      case "tool-output":
        this.#shown.add(event.entry);
        this.#nameAgain(event.entry);
        this.#line({ verbatim: output.style("dim", event.text.trimEnd().replace(/^/gm, "  ")) });
        break;
      case "tool-ended":
        if (event.status === "completed") break;
        if (event.input) this.#name({ ...event, input: event.input });
        this.#nameAgain(event.entry);
        this.#showEnd(event);
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
        if (event.status === "finished" && !this.#isSaid) this.#line(output.style("dim", NO_WORD));
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

  #name(call: NamedCall): void {
    const output = this.#output;
    const said = output.style("dim", summary(call, output.width - 12));
    this.#names.set(call.entry, `${output.style("cyan", "●")} ${call.name} ${said}`);
    this.#nameAgain(call.entry);
  }

  /** Calls may run beside each other: the output of one must not look like another's. */
  #nameAgain(entry: string): void {
    const line = this.#names.get(entry);
    if (entry === this.#about || line === undefined) return;
    this.#about = entry;
    this.#line(line);
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
  "cut-off": "The answer was cut off: it reached max_tokens, or the context window is full. ",
  refused: "The model declined to answer. ",
  "step-limit": "The turn ended: it used all its steps. ",
  interrupted: "The turn was interrupted. ",
  failed: "The turn failed. ",
};

/** The limit for the output of a failed call. */
const MOST_LINES = 12;

interface NamedCall {
  readonly entry: string;
  readonly name: string;
  readonly input: JsonObject;
}

function summary({ name, input }: NamedCall, width: number): string {
  const { command, background } = input;
  // The other inputs of a command would read as parts of it.
  const shown = name === "bash" && typeof command === "string" ? [command] : Object.values(input);
  const note = name === "bash" && background === true ? " (in the background)" : "";
  const words = shown.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(" ");
  return `${cut(words.replace(/\s+/g, " ").trim(), width - note.length)}${note}`;
}
