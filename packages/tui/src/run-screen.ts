/**
 * The loop: events go into `update`, its model is drawn, its effects are carried out, and their results are the next events.
 * Keys are drawn at once, streaming output at most thirty times a second.
 */
import { setTimeout as delay } from "node:timers/promises";
import { ApiError, type Client, followSession, type SessionFollower } from "@retake/client";
import { runningTurn } from "@retake/core";
import { firstEffects } from "./model/answers.ts";
import { lastSave } from "./model/draft.ts";
import { call, type Effect, type Event } from "./model/effect.ts";
import { initialModel, type Model } from "./model/model.ts";
import { update } from "./model/update.ts";
import type { ScreenPorts } from "./ports.ts";
import { viewOf } from "./screens/view-of.ts";
import type { FullScreen } from "./terminal/terminal.ts";

const FRAME_MS = 33;
const TICK_MS = 1000;
const LAST_SAVE_MS = 2000;
/** So many files are offered after an @. */
const MOST_FILES = 50;

/**
 * Shows the screen until the user leaves it. The terminal may show its first frame already. Answers the lines that are worth
 * keeping in the scrollback.
 */
export async function runScreen(ports: ScreenPorts, terminal: FullScreen): Promise<string[]> {
  const screen = new Screen(ports, terminal);
  return screen.run();
}

class Screen {
  readonly #ports: ScreenPorts;
  readonly #terminal: FullScreen;
  readonly #ended = Promise.withResolvers<void>();
  readonly #timers = new Map<string, { readonly timer: NodeJS.Timeout; readonly since: number }>();
  #model: Model;
  #frame: NodeJS.Timeout | undefined;
  #following: AbortController | undefined;
  #follower: SessionFollower | undefined;
  #files: Promise<readonly string[]> | undefined;
  /** The shell command that runs. */
  #running: AbortController | undefined;
  #isOver = false;
  #client: Promise<Client> = new Promise(() => {});

  constructor(ports: ScreenPorts, terminal: FullScreen) {
    this.#ports = ports;
    this.#terminal = terminal;
    const { directory: root, prompts, mouse, ctrlZ } = ports;
    this.#model = initialModel({ size: terminal.size, now: ports.now(), root, prompts, mouse, ctrlZ });
  }

  async run(): Promise<string[]> {
    const leave = this.#ports.onEnd(() => this.#end());
    const tick = setInterval(() => this.#tick(), TICK_MS);
    this.#terminal.enter();
    try {
      this.#draw();
      this.#terminal.listen({
        input: (event) => this.#dispatch(event, "now"),
        resize: () => this.#dispatch({ type: "resized", ...this.#terminal.size }, "now"),
      });
      this.#client = this.#open();
      this.#client.catch((error) => this.#fail(error));
      await this.#ended.promise;
      await this.#saveDraft();
    } finally {
      this.#isOver = true;
      leave();
      clearInterval(tick);
      clearTimeout(this.#frame);
      for (const { timer } of this.#timers.values()) clearTimeout(timer);
      this.#following?.abort();
      this.#running?.abort();
      this.#terminal.leave();
    }
    return farewell(this.#model);
  }

  async #open(): Promise<Client> {
    const { client, thread, root } = await this.#ports.open();
    this.#dispatch({ type: "opened", root });
    for (const effect of firstEffects(this.#model)) this.#perform(effect);
    if (thread !== undefined) void Promise.resolve().then(() => this.#follow(thread));
    return client;
  }

  #end(): void {
    this.#terminal.leave();
    this.#ended.resolve();
  }

  /** The last words are saved, whichever way the screen ends. A server that does not answer keeps nobody here. */
  async #saveDraft(): Promise<void> {
    this.#isOver = true;
    const { effects } = lastSave(this.#model);
    const saves = effects.flatMap((effect) => (effect.kind === "call" ? [this.#call(effect)] : []));
    if (saves.length > 0) await Promise.race([Promise.all(saves), delay(LAST_SAVE_MS, undefined, { ref: false })]);
  }

  /** Only where something on the screen counts the time. */
  #tick(): void {
    const { view, retry } = this.#model;
    if (retry || (view && runningTurn(view.state, view.take) !== undefined))
      this.#dispatch({ type: "tick", now: this.#ports.now() });
  }

  #dispatch(event: Event, when: "now" | "soon" = "soon"): void {
    if (this.#isOver) return;
    try {
      const { model, effects } = update(this.#model, event);
      const isChanged = model !== this.#model;
      this.#model = model;
      if (isChanged && when === "now") this.#draw();
      else if (isChanged) this.#frame ??= setTimeout(() => this.#draw(), FRAME_MS);
      for (const effect of effects) this.#perform(effect);
    } catch (error) {
      this.#fail(error);
    }
  }

  #draw(): void {
    clearTimeout(this.#frame);
    this.#frame = undefined;
    this.#terminal.draw(viewOf(this.#model));
  }

  /** A bug of ours: the terminal is given back first, so that it can be read. */
  #fail(error: unknown): void {
    this.#terminal.leave();
    this.#ended.reject(error);
  }

  #perform(effect: Effect): void {
    const ports = this.#ports;
    switch (effect.kind) {
      case "call":
        return void this.#call(effect);
      case "show":
        return void this.#follower?.show(effect.window);
      case "follow":
        return void this.#follow(effect.thread);
      case "begin":
        return void this.#begin(effect);
      case "edit":
        return void this.#edit(effect);
      case "command":
        return void this.#command(effect);
      case "shell":
        return void this.#shell(effect.command);
      case "end-shell":
        return void this.#running?.abort();
      case "complete":
        return void ports.complete(effect.line, this.#model.thread).then(
          (found) => this.#dispatch({ type: "completed", request: effect.request, ...found }, "now"),
          () => undefined,
        );
      case "files":
        return void this.#completeFile(effect);
      case "copy":
        return void this.#terminal.copy(effect.text);
      case "copy-rows":
        return void this.#terminal.copy(this.#terminal.textOf(effect.from, effect.to));
      case "remember":
        return void ports.remember(effect.prompt, effect.stored);
      case "after":
        return void this.#after(effect);
      case "mouse":
        return void this.#terminal.setMouse(effect.on);
      case "suspend":
        return void this.#suspend();
      case "redraw":
        this.#terminal.leave();
        this.#terminal.enter();
        return void this.#draw();
      case "quit":
        return void this.#end();
    }
  }

  async #call({ name, args, tag }: Extract<Effect, { kind: "call" }>): Promise<void> {
    try {
      const client = await this.#client;
      const answer = await (client[name] as (...given: readonly unknown[]) => Promise<unknown>)(...args);
      this.#dispatch({ type: "answered", tag, answer });
    } catch (error) {
      this.#dispatch({ type: "failed", tag, ...problemOf(error) });
    }
  }

  async #follow(thread: string | undefined): Promise<void> {
    // At once: nothing of the thread before comes after this.
    this.#following?.abort();
    if (thread === undefined) return;
    const client = await this.#client;
    this.#following?.abort();
    const following = new AbortController();
    this.#following = following;
    const { signal } = following;
    const follower = followSession(client, thread, {
      signal,
      onConnection: (connected) => !signal.aborted && this.#dispatch({ type: "connection", connected }),
      onEvent: (event) => !signal.aborted && this.#dispatch({ type: "told", event }),
      window: { last: 200 },
    });
    this.#follower = follower;
    this.#dispatch({ type: "followed", thread });
    const watch = async () => {
      for await (const view of follower) {
        if (signal.aborted) return;
        this.#dispatch({ type: "viewed", view, now: this.#ports.now() });
      }
    };
    void watch().catch((error) => !signal.aborted && this.#sayError(error));
  }

  async #begin({ prompt, options }: Extract<Effect, { kind: "begin" }>): Promise<void> {
    const { root } = this.#model.status;
    try {
      const client = await this.#client;
      const { thread } = await client.createThread({ prompt, workspace_root: root });
      await this.#follow(thread.id);
      this.#perform(call("startTurn", [thread.id, { prompt, ...options }], { for: "sent", prompt }));
    } catch (error) {
      const { code, message } = problemOf(error);
      this.#dispatch({ type: "failed", tag: { for: "sent", prompt }, code, message });
    }
  }

  /** The terminal is the editor's meanwhile. */
  #edit({ text, tag }: Extract<Effect, { kind: "edit" }>): void {
    this.#terminal.leave();
    let edited: { text?: string; problem?: string } = {};
    try {
      edited = { text: this.#ports.edit(text) };
    } catch (error) {
      edited = { problem: (error as Error).message };
    }
    this.#terminal.enter();
    this.#draw();
    const { problem } = edited;
    this.#dispatch({ type: "edited", tag, text: edited.text, ...(problem === undefined ? {} : { problem }) }, "now");
  }

  async #shell(command: string): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    try {
      const print = (text: string) => this.#dispatch({ type: "printed", text });
      this.#dispatch({ type: "command-ended", code: await this.#ports.shell(command, print, running.signal) });
    } catch (error) {
      this.#sayError(error);
      this.#dispatch({ type: "command-ended", code: 1 });
    }
  }

  async #command({ args, terminal }: Extract<Effect, { kind: "command" }>): Promise<void> {
    if (terminal) this.#terminal.leave();
    let problem = "";
    try {
      const print = (text: string) => {
        if (terminal) problem += text;
        else this.#dispatch({ type: "printed", text });
      };
      const { thread } = this.#model;
      const columns = this.#terminal.size.columns - 2;
      this.#dispatch({
        type: "command-ended",
        code: await this.#ports.runCommand(args, { terminal, columns, thread, print }),
      });
    } catch (error) {
      this.#sayError(error);
      this.#dispatch({ type: "command-ended", code: 1 });
    } finally {
      if (terminal && !this.#isOver) {
        this.#terminal.enter();
        this.#draw();
      }
    }
    if (problem !== "") this.#sayError(problem.trim().replace(/\s+/g, " "));
  }

  /** The server looks for files in the last capture of the thread; without a thread the directory is read once. */
  async #completeFile({ beginning, request }: Extract<Effect, { kind: "files" }>): Promise<void> {
    const from = this.#model.composer.cursor - beginning.length;
    const paths = await this.#filesWith(beginning).catch(() => []);
    const choices = paths.map((word) => ({ word: `${word} ` }));
    this.#dispatch({ type: "completed", request, from, choices }, "now");
  }

  async #filesWith(beginning: string): Promise<readonly string[]> {
    const { thread } = this.#model;
    if (thread !== undefined) {
      const { files } = await (await this.#client).listFiles(thread, { q: beginning, limit: MOST_FILES });
      return files.map(({ path }) => path);
    }
    this.#files ??= this.#ports.files();
    const wanted = beginning.toLowerCase();
    return (await this.#files).filter((path) => path.toLowerCase().includes(wanted)).slice(0, MOST_FILES);
  }

  #after({ id, milliseconds, most = Number.POSITIVE_INFINITY, event }: Extract<Effect, { kind: "after" }>): void {
    if (milliseconds === 0) return void this.#dispatch(event, "now");
    const before = this.#timers.get(id);
    clearTimeout(before?.timer);
    const now = this.#ports.now();
    const since = before?.since ?? now;
    const fire = () => {
      this.#timers.delete(id);
      this.#dispatch(event);
    };
    const timer = setTimeout(fire, Math.max(0, Math.min(milliseconds, since + most - now)));
    this.#timers.set(id, { timer, since });
  }

  async #suspend(): Promise<void> {
    this.#terminal.leave();
    const wasStopped = await this.#ports.suspend();
    if (this.#isOver) return;
    this.#terminal.enter();
    this.#dispatch({ type: "resized", ...this.#terminal.size });
    if (!wasStopped) this.#dispatch({ type: "said", text: "No shell waits below this screen.", tone: "warning" });
    this.#draw();
  }

  #sayError(error: unknown): void {
    this.#dispatch({ type: "said", text: error instanceof Error ? error.message : String(error), tone: "error" });
  }
}

function problemOf(error: unknown): { readonly code: string; readonly message: string; readonly details?: unknown } {
  if (error instanceof ApiError) return { code: error.code, message: error.message, details: error.details };
  const why = (error as Error).message;
  return {
    code: "unreachable",
    message: `The server did not answer: ${why}. Leave with Ctrl+C and start Retake anew: it needs no server.`,
  };
}

/** The lines that stay in the scrollback when the screen is left. */
function farewell({ title, view, thread }: Model): string[] {
  if (thread === undefined || !view) return [];
  return [`${title === "" ? thread : title}: everything is kept. To go on: retake`];
}
