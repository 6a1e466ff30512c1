/**
 * Everything that can happen to threads, at random, while screens show them over a bad line: changes over HTTP and of
 * other processes, turns, history, takes, and servers that end or are killed in the middle of it. What is refused is
 * refused; what counts is that every screen shows what is stored, after every event.
 */
import { ApiError, type Client } from "@retake/client";
import { activeTake, entries, settings } from "@retake/core";
import { ServedPlace } from "../testing/served-place.ts";
import { CuttingProxy } from "./cutting-proxy.ts";
import { StateOracle } from "./state-oracle.ts";
import { STEPS, type Step } from "./walk-steps.ts";
import { WatchedView } from "./watched-view.ts";

export class ViewWalk {
  readonly served = new ServedPlace();
  readonly random: () => number;
  /** How often each step was done, refused, or nobody knows. */
  readonly counts: Record<string, number> = {};
  readonly #proxy: CuttingProxy;
  readonly #oracle = new StateOracle(this.served.place);
  readonly #views: WatchedView[] = [];
  readonly #closed: WatchedView[] = [];
  #url = "";
  #number = 0;

  constructor(random: () => number) {
    this.random = random;
    this.#proxy = new CuttingProxy(() => this.served.url, random);
  }

  async begin(): Promise<void> {
    await this.served.start();
    this.#url = await this.#proxy.listen();
    for (const options of [{ title: "Shared" }, { title: "Private", private: true }]) {
      const { thread } = await this.client.createThread(options);
      for (let count = 0; count < 2; count += 1) this.#watch(thread.id);
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
      ...{ views: sum(({ views }) => views), reads: sum(({ reads }) => reads), cuts, holds },
      connections: sum(({ connections }) => connections),
    };
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  pick<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)];
  }

  /** A text that is nowhere else, sometimes a long one. */
  text(): string {
    this.#number += 1;
    return `${this.#number} ${this.below(8) === 0 ? "ä€𝄞".repeat(this.below(3000)) : "text"}`;
  }

  #watch(thread: string): void {
    this.#views.push(new WatchedView(thread, { url: this.#url, token: this.served.token }, this.#oracle));
  }

  async #step(): Promise<void> {
    const dice = this.random();
    const thread = (this.pick(this.#views) as WatchedView).thread;
    const step = this.pick(STEPS) as Step;
    if (dice < 0.03) await this.#killed("SIGTERM", step, thread);
    else if (dice < 0.07) await this.#killed("SIGKILL", step, thread);
    else if (dice < 0.1) await this.#reopen();
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

  /** The line is good for a while: every screen catches up, and shows what a fresh read answers. */
  async #settle(): Promise<void> {
    await this.#proxy.good(async () => {
      for (const view of this.#views) {
        await this.#quiet(view.thread);
        const fresh = await this.client.getThread(view.thread);
        const { state } = await view.reaches(fresh.version);
        const take = activeTake(state);
        const shown = [...entries(state, take)].map(({ order: _, ...entry }) => entry);
        const listed = (await this.client.listEntries(view.thread)).entries;
        const said = await this.client.getSettings(view.thread);
        same("version", state.version, fresh.version);
        same("entries", shown, listed);
        same("settings", settings(state, take), said);
      }
    });
  }

  /** Waits until no turn of the thread runs or waits. */
  async #quiet(thread: string): Promise<void> {
    for (;;) {
      const { seq } = await this.client.getCheckpoint(thread);
      const { turns } = await this.client.listTurns(thread);
      const left = turns.find(({ status }) => status === "queued" || status === "running");
      // A turn that was killed with its server is ended by whoever works in its directory next.
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

function same(what: string, shown: unknown, fresh: unknown): void {
  const [a, b] = [JSON.stringify(shown), JSON.stringify(fresh)];
  if (a !== b) throw new Error(`${what}: a screen shows\n${a}\nand a fresh read is\n${b}`);
}
