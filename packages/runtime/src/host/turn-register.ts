/**
 * The turns that run or wait in each workspace, known to every process of this user: a file for each in the state
 * directory, so that `retake stop` ends a turn in whichever process it is.
 *
 *     accepted ─▶ <turn> ─▶ the turn ends, its process removes the file
 *                    └─ stop renames it to <turn>.stop ─▶ its process sees that, ends the turn, removes the file
 *
 * The file of a killed process stays; the next stop removes it. All files are renamed before any turn ends, so a turn that
 * waits for the one that is stopped does not begin in between.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "@retake/workspace";
import { isThere, markOfThisProcess, type ProcessMark } from "./process-mark.ts";

/** How often a process looks whether its turns are to stop: one look for a file. */
const LOOK_MS = 150;
/** How long a turn may take to end: its tools are ended, its files captured. */
const PATIENCE_MS = 60_000;
const STOP = ".stop";

export interface RegisteredTurn extends ProcessMark {
  readonly turn: string;
  readonly thread: string;
}

export interface Registration {
  /** Looks now, and calls `onStop` where the turn is to end. */
  look(): void;
  remove(): void;
}

export class TurnRegister {
  readonly #directory: string;

  constructor(state: string) {
    this.#directory = join(state, "turns");
  }

  /** Until it is removed, a stop of the workspace calls `onStop`, once. */
  add(root: string, { turn, thread }: Pick<RegisteredTurn, "turn" | "thread">, onStop: () => void): Registration {
    const folder = this.#folder(root);
    const file = join(folder, turn);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const registered: RegisteredTurn = { turn, thread, ...markOfThisProcess() };
    // In one step: a stop that read half of the file would pass the turn over, and it would begin after the one it waits for.
    const aside = join(this.#directory, `${turn}.part`);
    writeFileSync(aside, JSON.stringify(registered), { mode: 0o600 });
    renameSync(aside, file);
    let stops = false;
    const look = () => {
      if (stops || !existsSync(`${file}${STOP}`)) return;
      stops = true;
      onStop();
    };
    const timer = setInterval(look, LOOK_MS).unref();
    return {
      look,
      remove() {
        clearInterval(timer);
        for (const each of [file, `${file}${STOP}`]) rmSync(each, { force: true });
      },
    };
  }

  /** Asks every process to end its turns in a workspace; of one thread where it is named. Returns the turns that were asked. */
  askToStop(root: string, thread: string | undefined): RegisteredTurn[] {
    const folder = this.#folder(root);
    const turns: RegisteredTurn[] = [];
    for (const name of namesIn(folder)) {
      const file = join(folder, name);
      const registered = read(file);
      if (!registered) continue;
      if (!isThere(registered)) rmSync(file, { force: true });
      else if (thread === undefined || registered.thread === thread)
        if (name.endsWith(STOP) || renamed(file, `${file}${STOP}`)) turns.push(registered);
    }
    return turns;
  }

  /** Resolves when these turns have ended or their processes are gone; returns those that did not end in time. */
  async waitForEnd(root: string, turns: readonly RegisteredTurn[], signal?: AbortSignal): Promise<RegisteredTurn[]> {
    const folder = this.#folder(root);
    const until = performance.now() + PATIENCE_MS;
    for (let running = [...turns]; ; ) {
      running = running.filter((each) => existsSync(join(folder, `${each.turn}${STOP}`)) && isThere(each));
      if (running.length === 0 || signal?.aborted || performance.now() > until) return running;
      await delay(LOOK_MS / 3);
    }
  }

  #folder(root: string): string {
    return join(this.#directory, createHash("sha256").update(root).digest("hex").slice(0, 32));
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Undefined where the turn has ended since, or the file is not one of ours. */
function read(file: string): RegisteredTurn | undefined {
  try {
    const { turn, thread, pid, start } = JSON.parse(readFileSync(file, "utf8")) as Partial<RegisteredTurn>;
    if (typeof turn !== "string" || typeof thread !== "string" || typeof start !== "string") return undefined;
    return typeof pid === "number" ? { turn, thread, pid, start } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** False: the turn has ended in between. */
function renamed(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}
