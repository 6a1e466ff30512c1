/**
 * Commands that run on while the agent works. Each has a name; the agent reads its output and ends it by that name.
 *
 *   bash {background: true} ─▶ runs ─▶ ended by itself, by the agent (`bash_end`), or with its turn
 *
 * They are confined, guarded and limited like every command. None outlives its turn: whatever it changes must lie between
 * two captures of that turn, so that an undo takes it back (decision 34).
 */
import { rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { CommandEnd } from "./command-end.ts";
import { meaningOf } from "./explain-file-error.ts";
import { OutputKeeper } from "./output-keeper.ts";
import { endMark, runCommand } from "./run-command.ts";
import type { Background, BackgroundCommand, ToolRun } from "./tool.ts";

/** How many run at once. */
const MOST = 8;
/** How often the output of a command is looked at, in milliseconds. */
const LOOK_EVERY = 100;

export class BackgroundCommands implements Background {
  readonly #commands = new Map<string, Running>();
  /** Commands whose end the agent does not know yet. */
  readonly #untold = new Set<Running>();

  start(command: string, run: ToolRun): BackgroundCommand | string {
    const running = this.running;
    if (running.length >= MOST)
      return `${MOST} commands run in the background already (${running.join(", ")}), and no more may. End one with bash_end.`;
    const started = new Running(`bash-${this.#commands.size + 1}`, command, run);
    this.#commands.set(started.name, started);
    this.#untold.add(started);
    return started;
  }

  get running(): string[] {
    return [...this.#commands.values()].flatMap(({ name, end }) => (end ? [] : [name]));
  }

  find(name: string): BackgroundCommand | undefined {
    return this.#commands.get(name);
  }

  async news(name: string, milliseconds: number, signal: AbortSignal): Promise<void> {
    const found = this.#commands.get(name);
    const deadline = performance.now() + milliseconds;
    while (found && !found.end && !found.keeper.hasUnread && !signal.aborted) {
      const left = deadline - performance.now();
      if (left <= 0) return;
      await Promise.race([found.ended, wait(Math.min(LOOK_EVERY, left))]);
    }
  }

  async end(name: string): Promise<void> {
    const found = this.#commands.get(name);
    found?.stop();
    await found?.ended;
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#commands.keys()].map((name) => this.end(name)));
  }

  /** Removes the marks of all commands. To be called when their ends are recorded. */
  forgetMarks(): void {
    for (const { mark } of this.#commands.values()) rmSync(mark, { force: true });
  }

  known(name: string): void {
    for (const each of this.#untold) if (each.name === name && each.end) this.#untold.delete(each);
  }

  /** Those that ended since the last call, in words for the agent. */
  told(): string {
    const ended = [...this.#untold].filter(({ end }) => end !== undefined);
    for (const each of ended) this.#untold.delete(each);
    return ended
      .map(({ name, end }) => `(${name}, in the background, has ended: ${endOf(end as CommandEnd)}.)`)
      .join("\n");
  }
}

/** How a command ended, in words. */
export function endOf({ reason, code, signal, error }: CommandEnd): string {
  if (error) return `it could not be started: ${meaningOf(error)}`;
  if (reason === "aborted") return "it was ended";
  return signal === null ? `exit code ${code}` : `by ${signal}`;
}

class Running implements BackgroundCommand {
  readonly name: string;
  readonly keeper: OutputKeeper;
  readonly mark: string;
  readonly ended: Promise<CommandEnd>;
  readonly #stop = new AbortController();
  end: CommandEnd | undefined;

  constructor(name: string, command: string, run: ToolRun) {
    this.name = name;
    this.keeper = new OutputKeeper(run.overflow);
    this.mark = endMark(run.overflow);
    this.ended = this.#run(command, run);
  }

  stop(): void {
    this.#stop.abort();
  }

  async #run(command: string, run: ToolRun): Promise<CommandEnd> {
    const stopReports = reportOutput(this.keeper, run);
    // Not by the signal of the call that starts it: that call ends at once.
    const end = await runCommand(command, { marksEnd: true }, this.keeper, { ...run, signal: this.#stop.signal });
    // An error here must not hide that the command has ended: the turn waits for that.
    const unkept = await this.keeper.close().then(
      () => undefined,
      (error: Error) => error,
    );
    stopReports();
    this.end = { ...end, unkept: end.unkept ?? unkept };
    return this.end;
  }
}

/** Reports the output of a command while it runs. The function that it answers reports the rest. */
export function reportOutput(keeper: OutputKeeper, run: Pick<ToolRun, "report">): () => void {
  const live = setInterval(() => {
    const text = keeper.news();
    if (text !== "") run.report({ text, units: keeper.bytes });
  }, LOOK_EVERY);
  return () => {
    clearInterval(live);
    const last = keeper.news();
    if (last !== "") run.report({ text: last });
  };
}
