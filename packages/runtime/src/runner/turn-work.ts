import { type Action, changeSetting } from "@retake/core";
import type { GitNotes } from "./git-notes.ts";
import { ModelCalls } from "./model-calls.ts";
import { ToolCalls } from "./tool-calls.ts";
import type { TurnAccess } from "./turn-access.ts";

type OfStep = { readonly turn_id: string; readonly step: number };
type ActionOf<Kind extends Action["kind"]> = Extract<Action, { kind: Kind }>;

/**
 * Carries out the agent's actions, and reports the results as events. Decides nothing and records nothing of the turn.
 */
export class TurnWork {
  readonly models: ModelCalls;
  readonly tools: ToolCalls;
  readonly #access: TurnAccess;
  /** Running work that can be stopped, by its name. */
  readonly #running = new Map<string, AbortController>();
  readonly #runningTools = new Set<Promise<void>>();
  #previews: Promise<unknown> = Promise.resolve();

  constructor(access: TurnAccess, git: GitNotes, turn: string) {
    this.#access = access;
    this.models = new ModelCalls(access);
    this.tools = new ToolCalls(access, git, turn);
  }

  perform(action: Action): void {
    switch (action.kind) {
      case "call-model":
        this.#start(`model ${action.step} ${action.attempt}`, action, (signal) => this.models.call(action, signal));
        break;
      case "cancel-model":
        this.#running.get(`model ${action.step} ${action.attempt}`)?.abort();
        break;
      case "examine-calls":
        this.#start("examination", action, () => this.tools.examine(action));
        break;
      case "add-rule":
        this.#access.parts.approvals.add(this.#access.root, action.rule);
        break;
      case "raise-budget":
        this.#raise(action.budget);
        break;
      case "ask-approval":
        this.#start(`approval ${action.call_id}`, action, () => this.#ask(action));
        break;
      case "run-tool": {
        const run = this.#start(`tool ${action.call_id}`, action, (signal) => this.tools.run(action, signal));
        this.#runningTools.add(run);
        void run.finally(() => this.#runningTools.delete(run));
        break;
      }
      case "cancel-tool":
        this.#running.get(`tool ${action.call_id}`)?.abort();
        break;
      case "run-post-tools-hook": {
        const { turn_id, step } = action;
        this.#access.tell({ kind: "hook-finished", turn_id, step, at: this.#access.now() });
        break;
      }
      case "notify-retry":
        this.#access.request.onEvent({
          type: "retry",
          message: action.failure.message,
          retry_at: action.retry_at,
          attempt: action.retries + 1,
          attempts: action.max_retries + 1,
        });
        break;
      case "wait-for-retry":
        this.#start(`retry ${action.retries}`, action, (signal) => this.#wait(action, signal));
        break;
      case "cancel-retry":
        this.#running.get(`retry ${action.retries}`)?.abort();
        break;
    }
  }

  /** Stops everything. Resolves when no tool runs any more, so that none changes files after the turn. */
  async stop(): Promise<void> {
    for (const controller of this.#running.values()) controller.abort();
    await Promise.all(this.#runningTools);
    await this.tools.stop();
  }

  #start(name: string, of: OfStep, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    this.#running.set(name, controller);
    return work(controller.signal)
      .catch((error) => this.#access.ioFailed(of, error))
      .finally(() => {
        if (this.#running.get(name) === controller) this.#running.delete(name);
      });
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#previews.then(work);
    this.#previews = done.catch(() => undefined);
    return done;
  }

  /** Also for later turns: it is a setting of the thread like one that the user changes by hand. */
  #raise(budget: number): void {
    const { parts, request, take } = this.#access;
    parts.budget.raise(budget);
    const context = { ...parts.identity.context({ kind: "user" }), take };
    parts.store.change(request.thread, ({ state }) =>
      changeSetting(state, context, { field: "budget", value: budget }),
    );
  }

  async #ask(action: ActionOf<"ask-approval">): Promise<void> {
    const { turn_id, step, call_id, name, entry_id: entry, notices, always, number, of } = action;
    const input = action.over_budget ?? this.tools.input({ turn_id, step, call_id });
    const shown = { number, of, entry, call_id, name, input, notices, directory: this.#access.root };
    // One after the other, so that questions come in the order of the calls.
    const preview = await this.#inOrder(() => this.tools.preview(name, input));
    const question = { ...shown, ...(always ? { always } : {}), ...(preview === undefined ? {} : { preview }) };
    const answer = await this.#access.request
      .approve(question)
      .catch((error: Error) => ({ denied: `nobody could be asked (${error.message})` }));
    const given =
      typeof answer === "string" ? { decision: answer } : { decision: "deny" as const, reason: answer.denied };
    this.#access.tell({ kind: "approval-given", turn_id, step, call_id, ...given, at: this.#access.now() });
  }

  async #wait({ turn_id, step, retries, delay_ms }: ActionOf<"wait-for-retry">, signal: AbortSignal): Promise<void> {
    const { onRetryWait } = this.#access.request;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delay_ms);
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      signal.addEventListener("abort", end);
      onRetryWait?.(end);
    });
    onRetryWait?.(undefined);
    if (!signal.aborted) this.#access.tell({ kind: "retry-due", turn_id, step, retries, at: this.#access.now() });
  }
}
