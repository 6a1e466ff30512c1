import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import headless from "@xterm/headless";
import { MAIN } from "../../testing/main.ts";

interface Given {
  readonly columns?: number;
  readonly rows?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** A folder of a terminal before: its home and its work are there. */
  readonly folder?: string;
  /** A shell with job control instead of Retake, which finds Node and Retake in RETAKE_NODE and RETAKE_MAIN. */
  readonly shell?: boolean;
  /** The text of config.toml. */
  readonly config?: string;
  /** The script that the scripted model plays. */
  readonly script?: unknown;
}

/** The built `retake` on a real terminal whose screen is read as a person sees it. Waits are for what is on the screen. */
export class ScreenTerminal {
  readonly folder: string;
  readonly work: string;
  readonly home: string;
  readonly #process;
  readonly #screen;
  #changed: () => void = () => {};
  #pending = 0;
  /** The text that a test waits for: said where the test ends before it comes. */
  #awaited: string | undefined;
  /** Everything that was written. */
  bytes = "";
  exit: { readonly code: number; readonly signal: number | undefined } | undefined;

  constructor({
    columns = 100,
    rows = 30,
    environment = {},
    args = [],
    folder,
    shell = false,
    config,
    script,
  }: Given = {}) {
    this.folder = folder ?? realpathSync(mkdtempSync(join(tmpdir(), "retake-screen-")));
    if (!folders.includes(this.folder)) folders.push(this.folder);
    this.home = join(this.folder, "home");
    this.work = join(this.folder, "work");
    mkdirSync(this.work, { recursive: true });
    if (config !== undefined) this.configure(config);
    const played = join(this.folder, "script.json");
    if (script !== undefined) writeFileSync(played, JSON.stringify(script));
    this.#screen = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
    const {
      VISUAL: _,
      EDITOR: __,
      RETAKE_MODEL: ___,
      RETAKE_SCRIPT: ____,
      NO_COLOR: _____,
      ...inherited
    } = process.env;
    const own = { RETAKE_HOME: this.home, RETAKE_NODE: process.execPath, RETAKE_MAIN: MAIN, PS1: "shell> ", ENV: "" };
    const scripted = script === undefined ? {} : { RETAKE_SCRIPT: played };
    const env = { ...inherited, ...own, ...scripted, LC_ALL: "C.UTF-8", TERM: "xterm-256color", ...environment };
    this.#process = spawn(shell ? "/bin/sh" : process.execPath, shell ? ["-i"] : [MAIN, ...args], {
      name: env["TERM"],
      cwd: this.work,
      cols: columns,
      rows,
      env,
    });
    this.#process.onData((data) => {
      this.bytes += data;
      this.#pending += 1;
      this.#screen.write(data, () => {
        this.#pending -= 1;
        this.#changed();
      });
    });
    this.#process.onExit(({ exitCode, signal }) => {
      this.exit = { code: exitCode, signal };
      this.#changed();
    });
    live.add(this);
  }

  /** Writes config.toml. */
  configure(text: string): void {
    const config = join(this.home, "config");
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, "config.toml"), text);
  }

  /** The screen as lines without the spaces at their ends. */
  get lines(): string[] {
    const { active } = this.#screen.buffer;
    return Array.from(
      { length: this.#screen.rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? "",
    );
  }

  get text(): string {
    return this.lines.join("\n");
  }

  /** `alternate` while a full screen is shown. */
  get buffer(): string {
    return this.#screen.buffer.active.type;
  }

  get cursor(): { readonly row: number; readonly column: number } {
    const { cursorX, cursorY } = this.#screen.buffer.active;
    return { row: cursorY, column: cursorX };
  }

  /** Waits until the screen shows it. */
  async shows(what: string | RegExp): Promise<void> {
    const isShown = () => (typeof what === "string" ? this.text.includes(what) : what.test(this.text));
    await this.until(isShown, String(what));
  }

  async hides(what: string): Promise<void> {
    await this.until(() => !this.text.includes(what), `not ${what}`);
  }

  async until(isSo: () => boolean, what: string): Promise<void> {
    this.#awaited = what;
    while (this.#pending > 0 || !isSo()) {
      if (this.exit && this.#pending === 0 && !isSo())
        throw new Error(`it ended (${this.exit.code}) without '${what}':\n${this.text}`);
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
    this.#awaited = undefined;
  }

  type(keys: string | Buffer): void {
    // The types of the library know texts only.
    this.#process.write(keys as string);
  }

  /** A prompt or command: typed, seen in the field, and sent. */
  async send(line: string): Promise<void> {
    this.type(line);
    await this.shows(`› ${line}`);
    this.type(KEY.enter);
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
    this.#process.resize(columns, rows);
  }

  kill(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  async ended(): Promise<number> {
    await this.until(() => this.exit !== undefined, "its end");
    return this.exit?.code ?? -1;
  }

  end(): void {
    live.delete(this);
    if (this.#awaited !== undefined) console.error(`It did not show '${this.#awaited}', but:\n${this.text}`);
    if (!this.exit) this.#process.kill("SIGKILL");
  }
}

export const KEY = {
  enter: "\r",
  escape: "\u001b",
  tab: "\t",
  up: "\u001b[A",
  down: "\u001b[B",
  pageUp: "\u001b[5~",
  ctrlC: "\u0003",
  ctrlD: "\u0004",
  ctrlP: "\u0010",
  ctrlR: "\u0012",
  ctrlU: "\u0015",
  ctrlX: "\u0018",
  ctrlY: "\u0019",
  ctrlZ: "\u001a",
} as const;

const folders: string[] = [];
const live = new Set<ScreenTerminal>();

/** Ends the terminals of a test and removes what they left. */
export function removeScreens(): void {
  for (const each of live) each.end();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
