import { setTimeout as wait } from "node:timers/promises";
import type { Client } from "@retake/client";
import { afterEach, describe, expect, test } from "vitest";
import { amount, seeds } from "../testing/budget.ts";
import { KEY, removeScreens, ScreenTerminal } from "./screen/screen-terminal.ts";
import { randomOf } from "./testing/random-of.ts";
import { ServedPlace } from "./testing/served-place.ts";
import { readFiles } from "./walk/walked-files.ts";

afterEach(removeScreens);

const STEPS = amount("steps", 20, 200);

describe("the terminal and another client at one thread", () => {
  test.each(seeds(1))(
    "[S5] [U7] show the same conversation, take and files after every step of a random walk (RETAKE_SEED=%i)",
    async (seed) => {
      const served = new ServedPlace();
      try {
        await served.start();
        const walk = await Walk.begin(served, randomOf(seed));
        for (let step = 1; step <= STEPS; step += 1) await walk.step();
        console.log(`seed ${seed}: ${JSON.stringify(Object.fromEntries(walk.counts))}`);
        expect(walk.counts.size).toBeGreaterThan(4);
      } finally {
        removeScreens();
        await served.remove();
      }
    },
  );
});

/** One thread, its terminal and its other client. */
class Walk {
  readonly counts = new Map<string, number>();
  readonly #served: ServedPlace;
  readonly #client: Client;
  readonly #thread: string;
  readonly #terminal: ScreenTerminal;
  readonly #random: () => number;
  #texts = 0;

  private constructor(served: ServedPlace, thread: string, terminal: ScreenTerminal, random: () => number) {
    this.#served = served;
    this.#client = served.client();
    this.#thread = thread;
    this.#terminal = terminal;
    this.#random = random;
  }

  static async begin(served: ServedPlace, random: () => number): Promise<Walk> {
    const { thread } = await served.client().createThread({ title: "walk", workspace_root: served.place.root });
    const { folder } = served.place;
    const terminal = new ScreenTerminal({ columns: 100, rows: 60, folder });
    await terminal.shows("● live");
    await terminal.shows("walk");
    return new Walk(served, thread.id, terminal, random);
  }

  async step(): Promise<void> {
    const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
      ["terminal prompt", () => this.#type(this.#prompt())],
      ["terminal prompt", () => this.#type(this.#prompt())],
      ["terminal Ctrl+Z", () => this.#press(KEY.ctrlZ)],
      ["terminal Ctrl+Y", () => this.#press(KEY.ctrlY)],
      ["terminal /undo", () => this.#type("/undo")],
      ["other prompt", () => this.#served.turn(this.#thread, this.#prompt())],
      ["other undo", () => this.#client.undo(this.#thread, { turns: 1 })],
      ["other redo", () => this.#client.redo(this.#thread, {})],
      ["other branch", () => this.#branch()],
      ["other switch", () => this.#switch()],
      ["other edit", () => this.#edit()],
    ];
    const [name, act] = this.#pick(steps);
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    await act();
    await this.#served.turnsEnded(this.#thread);
    await this.#same(name);
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }

  #prompt(): string {
    this.#texts += 1;
    return `write file-${Math.floor(this.#random() * 4)}.txt: text ${this.#texts}`;
  }

  /** Types a line into the empty field and sends it. It is done when the thread has changed, or there was nothing to do. */
  async #type(line: string): Promise<void> {
    this.#terminal.type(KEY.ctrlU);
    await this.#terminal.shows(/^› (?:Write|Tab)/m);
    await this.#until(async () => {
      await this.#terminal.send(line);
    });
  }

  async #press(key: string): Promise<void> {
    await this.#until(async () => this.#terminal.type(key));
  }

  async #until(act: () => Promise<void>): Promise<void> {
    const version = await this.#version();
    const said = this.#terminal.bytes.length;
    await act();
    const isNothing = () => /Nothing (?:to|was)|nothing to/.test(this.#terminal.bytes.slice(said));
    while ((await this.#version()) === version && !isNothing()) await wait(50);
  }

  async #version(): Promise<number> {
    return (await this.#client.getThread(this.#thread)).version;
  }

  async #branch(): Promise<void> {
    const { turns } = await this.#client.listTurns(this.#thread);
    const names = turns.flatMap(({ name, status }) => (name !== undefined && status === "finished" ? [name] : []));
    if (names.length > 0) await this.#client.branch(this.#thread, { entry: this.#pick(names) });
  }

  async #switch(): Promise<void> {
    const { takes } = await this.#client.listTakes(this.#thread, {});
    const others = takes.filter(({ active }) => !active);
    if (others.length > 0) await this.#client.switchTake(this.#thread, this.#pick(others).id, {});
  }

  async #edit(): Promise<void> {
    const prompts = await this.#prompts();
    if (prompts.length === 0) return;
    this.#texts += 1;
    await this.#client.editEntry(this.#thread, this.#pick(prompts).id, { content: `edited ${this.#texts}` });
  }

  async #prompts() {
    const { entries } = await this.#client.listEntries(this.#thread, {});
    return entries.filter(({ role, turn_id }) => role === "User" && turn_id !== undefined);
  }

  /** The screen, the stored conversation and the disk say the same. */
  async #same(step: string): Promise<void> {
    const { turns } = await this.#client.listTurns(this.#thread);
    const names = new Map(turns.map(({ id, name }) => [id, name]));
    const wanted = (await this.#prompts()).map(({ turn_id = "", content }) => `${names.get(turn_id)} ${content}`);
    const { takes } = await this.#client.listTakes(this.#thread, {});
    const active = takes.length > 1 ? `${takes.find((take) => take.active)?.name}●` : "walk";
    const shown = () => this.#terminal.lines.filter((line) => /^#\d+ /.test(line));
    const isSame = () => {
      const seen = shown();
      const last = wanted.slice(wanted.length - seen.length);
      const isWhole = seen.length === wanted.length || (seen.length > 3 && seen.length < wanted.length);
      return isWhole && last.every((text, at) => seen[at]?.startsWith(text)) && this.#terminal.text.includes(active);
    };
    await this.#terminal.until(isSame, `after ${step}: ${active} with\n${wanted.join("\n")}`);
    expect(readFiles(this.#served.place.root)).toEqual(await this.#stored());
  }

  async #stored(): Promise<Record<string, string>> {
    const { head } = await this.#client.getHistory(this.#thread, { limit: 1 });
    const { files } = await this.#client.listFiles(this.#thread, {});
    const found: Record<string, string> = {};
    for (const { path, kind } of files) {
      if (kind !== "file") continue;
      const { content } = await this.#client.readFile(this.#thread, { path, at: String(head) });
      found[path] = String(content);
    }
    return found;
  }
}
