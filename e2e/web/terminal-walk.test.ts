/**
 * A terminal and a browser at one thread, in turns, at random: prompts, undo and redo, takes, parts taken back. After every step both show
 * the conversation and the take that the server has, and the files on disk are those of that take.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Client } from "@retake/client";
import type { Page } from "playwright-core";
import { afterEach, expect, test } from "vitest";
import { amount, seeds, TIMEOUT_MS } from "../../testing/budget.ts";
import { KEY, removeScreens, ScreenTerminal } from "../screen/screen-terminal.ts";
import { randomOf } from "../testing/random-of.ts";
import { readFiles } from "../walk/walked-files.ts";
import { actsAt, watchChanges } from "./page-acts.ts";
import { WebPlace } from "./web-place.ts";

const STEPS = amount("steps", 16, 200);

afterEach(removeScreens);

test.each(seeds(1))(
  "[S5] [U7] the terminal and the page show the same conversation, take and files after every step of a walk (RETAKE_SEED=%i)",
  async (seed) => {
    const place = await WebPlace.open();
    try {
      const walk = await Walk.begin(place, randomOf(seed));
      for (let step = 1; step <= STEPS; step += 1) await walk.step();
      console.log(`seed ${seed}: ${JSON.stringify(Object.fromEntries(walk.counts))}`);
      expect(walk.counts.size).toBeGreaterThan(4);
      place.expectNoProblems();
    } finally {
      removeScreens();
      await place.close();
    }
  },
);

/** The thread as the server has it, which every screen must show. */
interface Stored {
  /** The prompts, with the names of their turns. */
  readonly prompts: readonly string[];
  readonly entries: readonly { readonly id: string; readonly role: string; readonly content: string }[];
  readonly takes: readonly { readonly name: string; readonly active: boolean }[];
}

class Walk {
  readonly counts = new Map<string, number>();
  readonly #log: string[] = [];
  readonly #place: WebPlace;
  readonly #client: Client;
  readonly #thread: string;
  readonly #terminal: ScreenTerminal;
  readonly #page: Page;
  readonly #changesEnded: () => Promise<void>;
  readonly #random: () => number;

  private constructor(place: WebPlace, thread: string, screens: readonly [ScreenTerminal, Page], random: () => number) {
    this.#place = place;
    this.#client = place.served.client();
    this.#thread = thread;
    [this.#terminal, this.#page] = screens;
    this.#changesEnded = watchChanges(this.#page);
    this.#random = random;
  }

  static async begin(place: WebPlace, random: () => number): Promise<Walk> {
    const { place: at } = place.served;
    const { thread } = await place.served.client().createThread({ title: "walk", workspace_root: at.root });
    const terminal = new ScreenTerminal({ columns: 100, rows: 60, folder: at.folder });
    await terminal.shows("● live");
    await terminal.shows("walk");
    const page = await place.page(`/t/${thread.id}`);
    await page.getByRole("textbox", { name: "Prompt" }).waitFor();
    return new Walk(place, thread.id, [terminal, page], random);
  }

  async step(): Promise<void> {
    const terminal: readonly (readonly [string, () => Promise<unknown>])[] = [
      ["prompt", () => this.#type(this.#prompt())],
      ["prompt", () => this.#type(this.#prompt())],
      ["Ctrl+Z", () => this.#press(KEY.ctrlZ)],
      ["Ctrl+Y", () => this.#press(KEY.ctrlY)],
      ["/undo", () => this.#type("/undo")],
      ["/undo 2", () => this.#type("/undo 2")],
      ["branch", () => this.#branch()],
      ["switch", () => this.#switch()],
      ["take back", () => this.#takeBack()],
    ];
    const page = Object.entries(actsAt(this.#page)).map(([name, act]) => [name, () => this.#onPage(act)] as const);
    const isTerminal = this.#random() < 0.5;
    const [act, run] = this.#pick<readonly [string, () => Promise<unknown>]>(isTerminal ? terminal : page);
    const name = `${isTerminal ? "terminal" : "page"} ${act}`;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    this.#log.push(name);
    await run();
    await this.#place.served.turnsEnded(this.#thread);
    await this.#same();
  }

  #choose = (count: number) => Math.floor(this.#random() * count);

  #pick<T>(list: readonly T[]): T {
    return list[this.#choose(list.length)] as T;
  }

  #prompt(): string {
    return `append walk-${this.#choose(4)}.txt: from the terminal ${this.#choose(1000)}`;
  }

  async #onPage(act: (choose: (count: number) => number) => Promise<unknown>): Promise<void> {
    // A row that goes while it is acted on is no failure: the other screen acts too.
    await act(this.#choose).catch((error: Error) => this.#log.push(error.message.split("\n")[0] as string));
    await this.#changesEnded();
  }

  /** Types a line into the empty field and sends it. */
  async #type(line: string): Promise<void> {
    this.#terminal.type(KEY.ctrlU);
    await this.#terminal.shows(/^› (?:Write|Tab)/m);
    await this.#until(() => this.#terminal.send(line));
  }

  #press(key: string): Promise<void> {
    return this.#until(async () => this.#terminal.type(key));
  }

  async #branch(): Promise<void> {
    const { turns } = await this.#client.listTurns(this.#thread);
    const names = turns.flatMap(({ name, status }) => (name !== undefined && status === "finished" ? [name] : []));
    if (names.length > 0) await this.#command(`/branch ${this.#pick(names)}`);
  }

  async #switch(): Promise<void> {
    const { takes } = await this.#client.listTakes(this.#thread, {});
    const others = takes.filter(({ active }) => !active);
    if (others.length > 0) await this.#command(`/switch ${this.#pick(others).name}`);
  }

  async #takeBack(): Promise<void> {
    const { turns } = await this.#client.listTurns(this.#thread);
    const names = turns.flatMap(({ name, status }) => (name !== undefined && status === "finished" ? [name] : []));
    if (names.length > 0) await this.#command(`/revert ${this.#pick(names)}`);
  }

  /** A command whose lines are shown on a screen of their own. */
  async #command(line: string): Promise<void> {
    this.#terminal.type(KEY.ctrlU);
    await this.#terminal.shows(/^› (?:Write|Tab)/m);
    await this.#terminal.send(line);
    await this.#terminal.shows(/Esc (?:close|back)/);
    await this.#terminal.hides("running");
    this.#terminal.type(KEY.escape);
    await this.#terminal.hides(`${line} `);
  }

  /** It is done when the thread has changed, or there was nothing to do. A preview is carried out where it can be. */
  async #until(act: () => Promise<void>): Promise<void> {
    const last = await this.#lastChange();
    // The same words again would write nothing to the screen: those of the step before go by themselves.
    await this.#terminal.until(() => !/Nothing to (?:undo|redo)/.test(this.#terminal.text), "no words of before");
    const said = this.#terminal.bytes.length;
    await act();
    const isNothing = () => /Nothing (?:to|was)|nothing to/.test(this.#terminal.bytes.slice(said));
    const deadline = Date.now() + TIMEOUT_MS / 3;
    for (let isAsked = false; (await this.#lastChange()) === last && !isNothing(); await wait(30)) {
      const { text } = this.#terminal;
      if (Date.now() > deadline) throw new Error(`nothing happened after\n${this.#log.join("\n")}\non\n${text}`);
      if (isAsked || !text.includes("nothing changes")) continue;
      isAsked = true;
      const isPossible = text.includes("Enter do it");
      this.#terminal.type(isPossible ? KEY.enter : KEY.escape);
      if (!isPossible) return;
    }
  }

  /** The last operation. Drafts do not count: the terminal saves what is typed, before or after it is sent. */
  async #lastChange(): Promise<string | undefined> {
    const { operations } = await this.#client.getHistory(this.#thread, { all: true, limit: 100 });
    return operations.find(({ kind }) => kind !== "setting-changed")?.id;
  }

  async #stored(): Promise<Stored> {
    const [{ turns }, { takes }, { entries }] = await Promise.all([
      this.#client.listTurns(this.#thread),
      this.#client.listTakes(this.#thread, {}),
      this.#client.listEntries(this.#thread, {}),
    ]);
    const names = new Map(turns.map(({ id, name }) => [id, name]));
    const own = entries.filter(({ role, turn_id }) => role === "User" && turn_id !== undefined);
    const prompts = own.map(({ turn_id = "", content }) => `${names.get(turn_id)} ${content}`);
    return { prompts, takes, entries };
  }

  async #same(): Promise<void> {
    const stored = await this.#stored();
    const after = `after\n${this.#log.slice(-10).join("\n")}\nof ${this.#log.length} steps`;
    // The title of the thread has the names of its takes after it, where there are several.
    const active = stored.takes.length > 1 ? `${stored.takes.find((take) => take.active)?.name}●` : "no name of a take";
    const isActive = () => (stored.takes.length > 1 ? this.#terminal.text.includes(active) : !/main/.test(this.#title));
    const isShown = () => isSuffix(this.#terminal.lines, stored.prompts) && isActive();
    await this.#terminal.until(isShown, `${active} with\n${stored.prompts.join("\n")}\n${after}`);
    await expect.poll(() => this.#pageProblem(stored), { message: after, timeout: 60_000 }).toBe("");
    const files = await this.#files().catch((error: unknown) => {
      throw new Error(`${(error as Error).message}\n${after}`);
    });
    expect(readFiles(this.#place.served.place.root), after).toEqual(files);
  }

  get #title(): string {
    return this.#terminal.lines.find((line) => line.trimStart().startsWith("walk")) ?? "";
  }

  /** The difference between the page and what is stored; empty where there is none. */
  async #pageProblem({ entries, takes }: Stored): Promise<string> {
    const { rows, tabs } = await this.#page.evaluate(() => ({
      rows: [...document.querySelectorAll<HTMLElement>("[data-row]")].map((row) => ({
        entry: row.dataset["entry"] ?? "",
        text: row.innerText,
      })),
      tabs: [...document.querySelectorAll<HTMLElement>("[role=tablist][aria-label=Takes] [role=tab]")].map((tab) => ({
        name: tab.innerText.trim(),
        active: tab.ariaSelected === "true",
      })),
    }));
    const places = new Map(entries.map(({ id }, at) => [id, at]));
    const shown = rows.filter(({ entry }) => entry !== "");
    const unknown = shown.find(({ entry }) => !places.has(entry));
    if (unknown) return `shows an entry that is gone: ${unknown.text}`;
    const last = entries.at(-1)?.id;
    if (shown.at(-1)?.entry !== last) return `ends with ${shown.at(-1)?.text}`;
    for (const { entry, text } of shown) {
      const { role = "", content = "" } = entries[places.get(entry) ?? -1] ?? {};
      if (role === "User" && !text.includes(content)) return `shows ${text} instead of ${content}`;
    }
    const name = takes.find((take) => take.active)?.name ?? "";
    const selected = tabs.filter((tab) => tab.active);
    if (takes.length !== tabs.length || selected.length !== 1 || selected[0]?.name !== name)
      return `shows the takes ${JSON.stringify(tabs)} instead of ${JSON.stringify(takes)}`;
    return "";
  }

  async #files(): Promise<Record<string, string>> {
    // A draft is saved in the take in which it was typed, also after a switch: its operation is of that take.
    const { operations } = await this.#client.getHistory(this.#thread, { limit: 20 });
    const last = operations.find(({ kind }) => !kind.startsWith("setting"))?.id;
    const { files } = await this.#client.listFiles(this.#thread, {});
    const found: Record<string, string> = {};
    for (const { path, kind } of files) {
      if (kind !== "file") continue;
      const { content } = await this.#client.readFile(this.#thread, { path, at: String(last) });
      found[path] = String(content);
    }
    return found;
  }
}

/** Whether the turns on a screen are the last ones of a list, and all of them where they fit. */
function isSuffix(lines: readonly string[], prompts: readonly string[]): boolean {
  const shown = lines.filter((line) => /^#\d+ /.test(line));
  const isWhole = shown.length === prompts.length || (shown.length > 3 && shown.length < prompts.length);
  return isWhole && prompts.slice(prompts.length - shown.length).every((text, at) => shown[at]?.startsWith(text));
}
