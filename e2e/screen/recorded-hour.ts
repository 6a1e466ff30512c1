import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ScreenTerminal } from "./screen-terminal.ts";

const PAGE = fileURLToPath(new URL("../../docs/first-hour.md", import.meta.url));
const HEAD = `# The first hour in the terminal

\`retake\` on a terminal of 100 by 30, with the embedded model. \`e2e/screen-flow.test.ts\` presses the keys and compares every screen with
this page; \`RETAKE_RECORD=1 npm test -- e2e/screen-flow\` writes the page anew.
`;

/** The screens of a flow as a page of the documentation: written when it is recorded, and compared when it is tested. */
export class RecordedHour {
  readonly #isRecording = process.env["RETAKE_RECORD"] === "1";
  readonly #frames: string[] = [];
  readonly #page = this.#isRecording ? [] : framesOf(readFileSync(PAGE, "utf8"));

  /** Waits until the terminal shows the next screen of the page. */
  async shows(terminal: ScreenTerminal, caption: string): Promise<void> {
    if (this.#isRecording) await settled(terminal);
    else {
      const wanted = this.#page[this.#frames.length];
      await terminal.until(
        () => wanted !== undefined && inEssence(tidy(terminal)) === inEssence(wanted),
        `${caption}:\n${wanted}`,
      );
    }
    this.#frames.push(`## ${caption}\n\n\`\`\`text\n${tidy(terminal)}\n\`\`\`\n`);
  }

  /** How many screens of the page were not shown. */
  end(): number {
    if (this.#isRecording) writeFileSync(PAGE, [HEAD, ...this.#frames].join("\n"));
    return this.#isRecording ? 0 : this.#page.length - this.#frames.length;
  }
}

function framesOf(page: string): string[] {
  return page
    .split("```text\n")
    .slice(1)
    .map((part) => part.split("\n```")[0] ?? "");
}

/** A screen without what differs from run to run: times, sizes, the machine's confinement, passing sentences, empty lines. */
function inEssence(frame: string): string {
  return frame
    .split("\n")
    .filter((line) => !/brings it back|takes it back|^ Denied\.| again leaves/.test(line))
    .map((line) =>
      line
        .replace(/ in \S*\/(?:work|project)$/, "")
        .replace(/ · [\d.]+k? tokens| · (?:confined by \S+|not confined)|\b(?:running )?\d+ (?:s|min)(?: ·)?/g, "")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .filter((line) => line !== "")
    .join("\n");
}

function tidy(terminal: ScreenTerminal): string {
  return terminal.lines
    .map((line) => line.replace(`${terminal.folder}/work`, "~/project").trimEnd())
    .join("\n")
    .trimEnd();
}

/** Nothing was drawn for a second. Only while recording: a test waits for the screen itself. */
async function settled(terminal: ScreenTerminal): Promise<void> {
  for (let before = ""; before !== inEssence(terminal.text); ) {
    before = inEssence(terminal.text);
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
