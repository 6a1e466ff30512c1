import type { TurnEvent } from "@retake/runtime";
import { noticeLine } from "./notice-line.ts";
import { cut, type Output, plural } from "./output.ts";
import { receiptLines } from "./receipt-lines.ts";

/** Prints a turn as it runs: for a person, or one event a line. */
export class TurnPrinter {
  readonly #output: Output;
  /** Whether the cursor stands behind text that has no line end yet. */
  #open = false;

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
          `${output.style("cyan", "●")} ${event.name} ${output.style("dim", cut(summary(event.input), output.width - 12))}`,
        );
        for (const notice of event.notices) this.#line(noticeLine(output, notice));
        break;
      case "tool-output":
        this.#line(output.style("dim", event.text.trimEnd().replace(/^/gm, "  ")));
        break;
      case "tool-ended":
        if (event.status !== "completed")
          this.#line(
            `  ${output.style("red", event.status)} ${cut(event.content.split("\n")[0] ?? "", output.width - 14)}`,
          );
        break;
      case "notice":
        this.#line(output.style("yellow", event.message));
        break;
      case "retry":
        this.#line(output.style("yellow", `Trying again: ${event.message}`));
        break;
      case "turn-finished": {
        this.#line("");
        if (event.receipt) for (const line of receiptLines(output, event.receipt)) this.#line(line);
        const tokens = Number(event.usage["input_tokens"] ?? 0) + Number(event.usage["output_tokens"] ?? 0);
        const how = event.status === "finished" ? "" : `Turn ${event.status}. `;
        this.#line(output.style("dim", `${how}${plural(tokens, "token")}. Take it back: retake undo`));
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

  #line(text: string): void {
    if (this.#open) this.#output.line();
    this.#open = false;
    if (text !== "") this.#output.line(text);
  }
}

function summary(input: object): string {
  const values = Object.values(input).map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
  return values.join(" ").replace(/\s+/g, " ");
}
