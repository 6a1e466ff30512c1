import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { activeTake, type Entry, entries, type JsonObject, recordOf, spaceId } from "@retake/core";
import type { TurnEvent, TurnResult } from "../../runner/turn.ts";
import { TOOLS } from "../../tools/tools.ts";
import { openStoreAndWorkspace, type Workspace } from "../../workspace/open-workspace.ts";
import { openModel } from "../open-model.ts";
import type { ScriptedAnswer } from "./answer-script.ts";
import { type Asked, ProviderServer } from "./provider-server.ts";

/** A thread in a workspace of its own, whose models are a test server: everything else is real. */
export class ModelSession {
  readonly folder = mkdtempSync(join(tmpdir(), "retake-models-"));
  readonly root = join(this.folder, "work");
  readonly server: ProviderServer;
  workspace: Workspace;
  thread = "";
  readonly events: TurnEvent[] = [];
  #threads = 0;
  /** How long a model may be silent. */
  idle_ms = 60_000;

  private constructor(server: ProviderServer) {
    mkdirSync(this.root);
    this.server = server;
    this.workspace = this.#open();
  }

  /** `fill` makes the files that the workspace has from the beginning. */
  static async start(
    answer: (asked: Asked) => ScriptedAnswer = () => ({}),
    fill: (root: string) => void = () => {},
  ): Promise<ModelSession> {
    const session = new ModelSession(await ProviderServer.start(answer));
    fill(session.root);
    await session.newThread();
    return session;
  }

  /** Another thread in the same workspace; nothing of the one before is remembered. */
  async newThread(): Promise<void> {
    this.#threads += 1;
    this.thread = await this.workspace.newThread(`main ${this.#threads}`);
    this.events.length = 0;
    this.server.asked.length = 0;
    this.server.refused.length = 0;
  }

  async turn(prompt: string, model: string, options: TurnOptions = {}): Promise<TurnResult> {
    const result = await this.workspace.run(await this.#request(prompt, model, options));
    if (!("type" in result)) throw new Error(`The turn was not run: ${JSON.stringify(result)}`);
    return result;
  }

  /** Tries the last turn again, where there is one. */
  async retry(prompt: string, model: string): Promise<void> {
    await this.workspace.retry({ ...(await this.#request(prompt, model)), onTakenBack: () => {} });
  }

  async #request(prompt: string, model: string, { signal, onEvent, helpers }: TurnOptions = {}) {
    const opened = await openModel(model, { environment: this.server.environment, idle_ms: this.idle_ms });
    if (opened.kind === "refused") throw new Error(opened.message);
    return {
      thread: this.thread,
      prompt,
      ...(helpers ? {} : { tools: TOOLS }),
      model: opened.model,
      mode: "all" as const,
      signal: signal ?? new AbortController().signal,
      approve: async () => "deny" as const,
      onEvent: (event: TurnEvent) => {
        this.events.push(event);
        onEvent?.(event);
      },
    };
  }

  entries(): Entry[] {
    return this.workspace.store.read(this.thread, ({ state }) => [...entries(state, activeTake(state))]);
  }

  /** The record of the last request (D2). */
  discussion(): JsonObject {
    return this.workspace.store.read(
      this.thread,
      ({ state }) => (recordOf(state, spaceId(activeTake(state), "discussion")) ?? {}) as JsonObject,
    );
  }

  /** The text of the last answer, as a watcher has it in the end. */
  told(): string {
    const from = this.events.findLastIndex(({ type }) =>
      ["answer-discarded", "tool-ended", "turn-started"].includes(type),
    );
    return this.events
      .slice(from + 1)
      .map((event) => (event.type === "text" ? event.text : ""))
      .join("");
  }

  comms(): string {
    return readFileSync(join(this.folder, "home", "state", "comms", `${this.thread}.jsonl`), "utf8");
  }

  /** As a new process would find it. */
  async reopen(): Promise<void> {
    await this.workspace.close();
    this.workspace = this.#open();
  }

  async close(): Promise<void> {
    await this.workspace.close();
    await this.server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #open(): Workspace {
    const home = join(this.folder, "home");
    const directories = { data: join(home, "data"), config: join(home, "config"), state: join(home, "state") };
    return openStoreAndWorkspace({ directories, root: this.root, version: "0" });
  }
}

export interface TurnOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: TurnEvent) => void;
  /** Offers the tools that a workspace offers by itself, with the one that starts sub-agents. */
  readonly helpers?: boolean;
}

/** One of each kind: what thinks with a budget, as it likes, encrypted, with signed calls, in plain text, or not at all. */
export const MODELS = [
  "anthropic/claude-sonnet-4-5",
  "anthropic/claude-opus-5",
  "openai/gpt-5",
  "openai/gpt-4.1",
  "google/gemini-3-pro-preview",
  "google/gemini-2.5-flash",
  "deepseek/deepseek-reasoner",
  "deepseek/deepseek-v4",
  "compatible/qwen3",
] as const;
