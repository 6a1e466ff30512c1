/**
 * Everything that can happen to threads, at random, while screens show them over a bad line: changes over HTTP and of
 * other processes, turns, history, takes, and servers that end or are killed in the middle of it. Requests may be
 * refused, but every screen must equal the stored state after every event.
 */
import { ApiError, type Client } from "@retake/client";
import { activeTake, entries, pathsIn, settings, type WindowRequest } from "@retake/core";
import { ServedPlace } from "../testing/served-place.ts";
import { CuttingProxy } from "./cutting-proxy.ts";
import { StateOracle } from "./state-oracle.ts";
import { STEPS, type Step } from "./walk-steps.ts";
import { WatchedView } from "./watched-view.ts";

export class ViewWalk {
  readonly served = new ServedPlace();
  readonly random: () => number;
  /** How often each step was done, was refused, or had an unknown outcome. */
  readonly counts: Record<string, number> = {};
  readonly #proxy: CuttingProxy;
  readonly #oracle = new StateOracle(this.served.place);
  readonly #views: WatchedView[] = [];
  readonly #closed: WatchedView[] = [];
  readonly #long: number;
  #url = "";
  #number = 0;

  /** `long` is how many entries the long thread has. */
  constructor(random: () => number, long: number) {
    this.random = random;
    this.#long = long;
    this.#proxy = new CuttingProxy(() => this.served.url, random);
  }

  async begin(): Promise<void> {
    await this.served.start();
    this.#url = await this.#proxy.listen();
    for (const options of [{ title: "Shared" }, { title: "Private", private: true }, { title: "Long" }]) {
      const { thread } = await this.client.createThread(options);
      if (options.title === "Long")
        await this.client.replaceEntries(thread.id, {
          entries: Array.from({ length: this.#long }, (_, index) => ({ id: `long-${index}`, content: `${index}` })),
        });
      for (let count = 0; count < 3; count += 1) this.#watch(thread.id);
    }
  }

  async run(steps: number): Promise<void> {
    for (let count = 1; count <= steps; count += 1) {
      await this.#step();
      if (count % 20 === 0 || count === steps) await this.#settle();
    }
  }

  async end(): Promise<void> {
    try {
      await Promise.all(this.#views.map((view) => view.close()));
    } finally {
      this.#proxy.close();
      this.#oracle.close();
      await this.served.remove();
    }
  }

  get client(): Client {
    return this.served.client();
  }

  get told() {
    const views = [...this.#views, ...this.#closed];
    const sum = (count: (view: WatchedView) => number) => views.reduce((all, view) => all + count(view), 0);
    const { cuts, holds } = this.#proxy;
    return {
      views: sum(({ views }) => views),
      reads: sum(({ reads }) => reads),
      cuts,
      holds,
      connections: sum(({ connections }) => connections),
    };
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  pick<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)];
  }

  /** An entry in a window that is shown, or next to one, or any other. */
  async entryOf(thread: string): Promise<string> {
    const view = this.pick(this.#views.filter((each) => each.thread === thread))?.view;
    const edges = view ? [view.previous, view.from, view.to, view.next].flatMap((key) => key?.split(" ")[1] ?? []) : [];
    const edge = this.pick(edges)?.replace("!", "");
    if (edge !== undefined && this.below(2) === 0) return edge;
    const inside = view ? [...entries(view.state, view.take)].map(({ id }) => id) : [];
    if (inside.length > 0 && this.below(2) === 0) return this.pick(inside) as string;
    const { entries: listed } = await this.client.listEntries(thread, { limit: 20 });
    return this.pick(listed)?.id ?? "none";
  }

  /** A text that is nowhere else, sometimes a long one. */
  text(): string {
    this.#number += 1;
    return `${this.#number} ${this.below(8) === 0 ? "ä€𝄞".repeat(this.below(3000)) : "text"}`;
  }

  #watch(thread: string): void {
    const at = { url: this.#url, token: this.served.token };
    this.#views.push(new WatchedView(thread, at, this.#oracle, { last: 1 + this.below(12) }));
  }

  async #step(): Promise<void> {
    const dice = this.random();
    const thread = (this.pick(this.#views) as WatchedView).thread;
    const step = this.pick(STEPS) as Step;
    if (dice < 0.03) await this.#killed("SIGTERM", step, thread);
    else if (dice < 0.07) await this.#killed("SIGKILL", step, thread);
    else if (dice < 0.1) await this.#reopen();
    else if (dice < 0.25) this.#scroll();
    else await this.#tried(step, thread);
    this.#proxy.tick();
  }

  /** The server ends while a step is under way. */
  async #killed(signal: "SIGTERM" | "SIGKILL", step: Step, thread: string): Promise<void> {
    this.#count(signal);
    const underWay = this.#tried(step, thread, true);
    await this.served.stop(signal);
    await underWay;
    await this.served.start();
  }

  /** A screen is closed and another one opened. */
  async #reopen(): Promise<void> {
    this.#count("reopened");
    const [closed] = this.#views.splice(this.below(this.#views.length), 1);
    if (!closed) return;
    this.#closed.push(closed);
    await closed.close();
    this.#watch(closed.thread);
  }

  /** A screen turns to another part of its thread, or holds more of it. */
  #scroll(): void {
    const shown = this.pick(this.#views) as WatchedView;
    const { view } = shown;
    const inside = view ? [...entries(view.state, view.take)].map(({ id }) => id) : [];
    const entry = this.pick(inside);
    const count = 1 + this.below(8);
    if (!view || entry === undefined) return;
    const { from, to, groups } = view;
    const requests: readonly WindowRequest[] = [
      { last: count },
      { before: entry, count },
      { after: entry, count },
      { from, to, groups, more_before: count, more_after: count },
    ];
    this.#count("scrolled");
    shown.show(this.pick(requests) as WindowRequest);
  }

  async #tried(step: Step, thread: string, dying = false): Promise<void> {
    try {
      await step.take(this, thread);
      this.#count(`${step.name} done`);
    } catch (error) {
      const refused = error instanceof ApiError && error.status < 500;
      if (!refused && !dying) throw new Error(`${step.name} failed`, { cause: error });
      this.#count(`${step.name} ${refused ? "refused" : "lost"}`);
    }
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  /** Makes the line good for a while: every screen catches up, and equals a fresh read. */
  async #settle(): Promise<void> {
    await this.#proxy.good(async () => {
      for (const view of this.#views) {
        await this.#quiet(view.thread);
        const fresh = await this.client.getThread(view.thread);
        const { state, take, total } = await view.reaches(fresh.version);
        same("take", take, activeTake(state));
        same("count", total, fresh.entries);
        const shown = [...entries(state, take)].map(({ order: _, ...entry }) => entry);
        const [first] = shown;
        const page = first && (await this.client.listEntries(view.thread, { after: first.id, limit: 2000 }));
        const listed = page?.entries.slice(0, shown.length - 1) ?? [];
        const said = await this.client.getSettings(view.thread);
        same("version", state.version, fresh.version);
        same("entries", shown.slice(1), listed);
        const [files, context_files, screenshots] = LISTS.map((list) => pathsIn(state, take, list));
        same("settings", { ...settings(state, take), files, context_files, screenshots }, said);
      }
    });
  }

  /** Waits until no turn of the thread runs or waits. */
  async #quiet(thread: string): Promise<void> {
    for (;;) {
      const { seq } = await this.client.getCheckpoint(thread);
      const { turns } = await this.client.listTurns(thread);
      const left = turns.find(({ status }) => status === "queued" || status === "running");
      // The next work in the directory ends a turn that was killed with its server.
      if (!left) return;
      const killed = await this.client.interruptTurn(thread, left.id, {}).then(
        () => false,
        (error) => error instanceof ApiError && error.status === 404,
      );
      if (killed) await this.client.undo(thread, { dry_run: true });
      else await this.served.ended(thread, left.id, seq);
    }
  }
}

const LISTS = ["file", "context", "screenshot"] as const;

function same(what: string, shown: unknown, fresh: unknown): void {
  const [a, b] = [JSON.stringify(shown), JSON.stringify(fresh)];
  if (a !== b) throw new Error(`${what}: a screen shows\n${a}\nand a fresh read is\n${b}`);
}
