import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { spawn } from "@lydell/node-pty";
import { TIMEOUT_MS } from "../../../../testing/budget.ts";
import { MAIN } from "../../../../testing/main.ts";

/** The prompt of `retake` under a real terminal: keys go in, and what the screen was sent is waited for. */
export class Terminal {
  readonly home: string;
  readonly work: string;
  readonly #process;
  #seen = "";
  #from = 0;
  #waiting: () => void = () => {};
  exit: number | undefined;

  /** `more`: what its environment holds besides. */
  constructor(
    folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-pty-"))),
    more: Readonly<Record<string, string>> = {},
  ) {
    if (!folders.includes(folder)) folders.push(folder);
    this.home = join(folder, "home");
    this.work = join(folder, "work");
    mkdirSync(this.work, { recursive: true });
    const { VISUAL: _, EDITOR: __, ...inherited } = process.env;
    const env = { ...inherited, RETAKE_HOME: this.home, NO_COLOR: "1", ...more };
    this.#process = spawn(process.execPath, [MAIN, "--inline"], { cwd: this.work, cols: 120, rows: 40, env });
    this.#process.onData((data) => {
      this.#seen += data;
      this.#waiting();
    });
    this.#process.onExit(({ exitCode }) => {
      this.exit = exitCode;
      this.#waiting();
    });
  }

  /** Waits until the screen shows one of the texts, after what was waited for before; answers the one that came first. */
  async shows(...texts: string[]): Promise<string> {
    for (;;) {
      const seen = stripVTControlCharacters(this.#seen).slice(this.#from);
      const found = texts.map((text) => ({ text, at: seen.indexOf(text) })).filter(({ at }) => at >= 0);
      const [first] = found.sort((a, b) => a.at - b.at);
      if (first) {
        this.#from += first.at + first.text.length;
        return first.text;
      }
      if (this.exit !== undefined) throw new Error(`it ended without showing '${texts}': ${seen}`);
      if (!(await this.#more())) throw new Error(`it does not show '${texts}', but: ${seen}`);
    }
  }

  /** Everything that the program sent to the screen, without colours and movements. */
  get screen(): string {
    return stripVTControlCharacters(this.#seen);
  }

  type(keys: string): void {
    this.#process.write(keys);
  }

  resize(columns: number, rows: number): void {
    this.#process.resize(columns, rows);
  }

  async ended(): Promise<number> {
    while (this.exit === undefined) if (!(await this.#more())) throw new Error(`it does not end: ${this.screen}`);
    return this.exit;
  }

  /** Whether something came, in a third of the time that a test has. */
  #more(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), TIMEOUT_MS / 3);
      this.#waiting = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}

export const CTRL_C = "\u0003";
export const CTRL_D = "\u0004";
export const CTRL_Y = "\u0019";
export const CTRL_Z = "\u001a";
export const ENTER = "\r";
export const UP = "\u001b[A";

const folders: string[] = [];

/** Removes what the terminals of a test left. */
export function removeTerminals(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
