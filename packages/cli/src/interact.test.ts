import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { spawn } from "@lydell/node-pty";
import { afterEach, describe, expect, test } from "vitest";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The prompt under a real terminal: keys go in, and what the screen was sent is waited for. */
class Terminal {
  readonly home: string;
  readonly work: string;
  readonly #process;
  #seen = "";
  #from = 0;
  #waiting: () => void = () => {};
  exit: number | undefined;

  constructor(folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-pty-")))) {
    if (!folders.includes(folder)) folders.push(folder);
    this.home = join(folder, "home");
    this.work = join(folder, "work");
    mkdirSync(this.work, { recursive: true });
    const env = { ...process.env, RETAKE_HOME: this.home, NO_COLOR: "1" };
    this.#process = spawn(process.execPath, [MAIN], { cwd: this.work, cols: 120, rows: 40, env });
    this.#process.onData((data) => {
      this.#seen += data;
      this.#waiting();
    });
    this.#process.onExit(({ exitCode }) => {
      this.exit = exitCode;
      this.#waiting();
    });
  }

  /** Waits until the screen shows it, behind what was waited for before. */
  async shows(text: string): Promise<void> {
    for (;;) {
      const seen = stripVTControlCharacters(this.#seen).slice(this.#from);
      const at = seen.indexOf(text);
      if (at >= 0) {
        this.#from += at + text.length;
        return;
      }
      if (this.exit !== undefined) throw new Error(`it ended without showing '${text}': ${seen}`);
      await this.#more();
    }
  }

  type(keys: string): void {
    this.#process.write(keys);
  }

  async ended(): Promise<number> {
    while (this.exit === undefined) await this.#more();
    return this.exit;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }
}

const [CTRL_C, CTRL_D, CTRL_Y, CTRL_Z, ENTER, UP] = ["\u0003", "\u0004", "\u0019", "\u001a", "\r", "\u001b[A"] as const;

describe("the prompt in a terminal", () => {
  test("[U3] asks for approval, takes back and gives the prompt back, and names where it stands", async () => {
    const terminal = new Terminal();
    await terminal.shows("› ");
    terminal.type(`write a.txt: one${ENTER}`);
    await terminal.shows("Run it? [y]es, [n]o, [a]lways:");
    terminal.type(`y${ENTER}`);
    await terminal.shows("Wrote `a.txt`.");
    await terminal.shows("write a.txt: one › ");
    expect(readFileSync(join(terminal.work, "a.txt"), "utf8")).toBe("one");
    terminal.type(`/undo${ENTER}`);
    await terminal.shows("Undo: Turn: write a.txt: one");
    await terminal.shows("› write a.txt: one");
    terminal.type(CTRL_C);
    await terminal.shows("› ");
    terminal.type(CTRL_Y);
    await terminal.shows("Redo: Turn: write a.txt: one");
    await terminal.shows("› ");
    expect(readFileSync(join(terminal.work, "a.txt"), "utf8")).toBe("one");
    terminal.type(CTRL_Z);
    await terminal.shows("Undo: Turn");
    await terminal.shows("› write a.txt: one");
    terminal.type(CTRL_C);
    await terminal.shows("› ");
    terminal.type(CTRL_D);
    expect(await terminal.ended()).toBe(0);
  });

  test("completes commands and what they name, and keeps a paste of many lines together", async () => {
    const terminal = new Terminal();
    await terminal.shows("› ");
    terminal.type("\u001b[200~first line\nrun echo never\u001b[201~");
    await terminal.shows("first line␤run echo never");
    terminal.type(CTRL_C);
    await terminal.shows("› ");
    terminal.type("/hist\t");
    await terminal.shows("/history ");
    terminal.type("--al\t");
    await terminal.shows("--all ");
    terminal.type(ENTER);
    await terminal.shows("There is no discussion in this workspace yet");
    await terminal.shows("› ");
    terminal.type(CTRL_C);
    await terminal.shows("Once more Ctrl+C");
    await terminal.shows("› ");
    terminal.type(CTRL_C);
    expect(await terminal.ended()).toBe(0);
  });

  test("remembers what was typed in a file of its owner's, but not what was said in private", async () => {
    const first = new Terminal();
    await first.shows("› ");
    first.type(`/threads --limit 3${ENTER}`);
    await first.shows("No discussion");
    await first.shows("› ");
    first.type(`/run --private hello there${ENTER}`);
    await first.shows("I am the model");
    await first.shows("hello there › ");
    first.type(`a secret${ENTER}`);
    await first.shows("I am the model");
    await first.shows("› ");
    first.type(`/quit${ENTER}`);
    expect(await first.ended()).toBe(0);
    const file = join(first.home, "state", "prompts.jsonl");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toBe('"/threads --limit 3"\n');
    const second = new Terminal(join(first.home, ".."));
    await second.shows("› ");
    second.type(UP);
    await second.shows("/threads --limit 3");
    second.type(CTRL_C);
    await second.shows("› ");
    second.type(CTRL_D);
    expect(await second.ended()).toBe(0);
  });

  test("[AG51] Ctrl+C ends a turn, and the prompt is there again", async () => {
    const terminal = new Terminal();
    await terminal.shows("› ");
    terminal.type(`/run --yes "run echo begun; sleep 600"${ENTER}`);
    await terminal.shows("\r\n  begun");
    terminal.type(CTRL_C);
    await terminal.shows("The turn did not finish: interrupted");
    await terminal.shows("› ");
    terminal.type(CTRL_D);
    expect(await terminal.ended()).toBe(0);
  });
});
