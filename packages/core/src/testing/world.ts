import { MemoryHistory } from "../history/history.ts";
import { completeJump, planJump } from "../history/jump-plan.ts";
import type { Nothing, Plan } from "../history/plan.ts";
import { planRetry } from "../history/retry-plan.ts";
import { planRevert, type RevertRequest } from "../history/revert-plan.ts";
import { completePlan, planRedo, planUndo, type UndoRequest } from "../history/undo-plan.ts";
import { createThread } from "../operations/thread.ts";
import { finishTurn, startTurn, streamTurn } from "../operations/turn.ts";
import type { Built, Context } from "../session/draft.ts";
import { promptEntryId, stepEntryId } from "../session/entry-ids.ts";
import type { Operation } from "../session/operation.ts";
import { kindOf } from "../session/record.ts";
import { recordProblem } from "../session/record-problem.ts";
import { isRefusal, type Refusal } from "../session/refusal.ts";
import { recordsIn, type Space, type State } from "../session/state.ts";
import { activeTake, entries, settings, takes, tree } from "../session/view.ts";
import { asJson, canonical, type Json } from "../values/json.ts";
import { textSum } from "../values/text-sum.ts";
import { operationFormat } from "../wire/operation-format.ts";

/** A thread in memory with its own clock and ids: the smallest possible runtime around core. */
export class World {
  readonly history = new MemoryHistory();
  readonly log: Operation[] = [];
  now = 1_700_000_000_000;
  #ids = 0;

  constructor() {
    const origin = { id: "T-1", workspace_root: "/w", cwd: "/w", retake_version: "0", private: false };
    this.must(createThread(this.context(), { origin, take: "t1", title: "main", tree: "tree-0" }));
  }

  get state(): State {
    return this.history.state;
  }

  id(prefix = "x"): string {
    this.#ids += 1;
    return `${prefix}${this.#ids}`;
  }

  /** A new context, two seconds after the last, so that no two operations form a burst of typing by accident. */
  context(more: Partial<Context> = {}): Context {
    this.now += 2000;
    return { id: this.id("op"), at: this.now, actor: { kind: "user" }, ...more };
  }

  /** Commits the built operation, which every other machine must accept [R8]; a refusal is returned and changes nothing. */
  try(built: Built): Operation | Refusal {
    if (isRefusal(built)) return built;
    const { operation } = built;
    const problem = operationFormat.check(asJson(operation)) ?? recordProblem(operation.diff);
    if (problem) throw new Error(`no other machine takes in "${operation.description}": ${problem}`);
    this.history.commit(operation);
    this.log.push(operation);
    return operation;
  }

  /** Commits the built operation; throws on a refusal. */
  must(built: Built): Operation {
    const done = this.try(built);
    if (isRefusal(done)) throw new Error(`refused: ${done.code}: ${done.message}`);
    return done;
  }

  /** Carries out a plan as the runtime would, with files that merge by name. */
  carryOut(plan: Plan | Nothing | Refusal): Operation | Nothing | Refusal {
    if (plan.kind !== "plan") return plan;
    const trees = new Map<string, string>();
    for (const [take, transitions] of plan.files) {
      let now = tree(this.state, take);
      for (const { before, after } of transitions)
        now = now === after ? before : `merged-${textSum(`${now} without ${before} to ${after}`)}`;
      trees.set(take, now);
    }
    return this.try(completePlan(this.history, this.context(), plan, { trees }));
  }

  undo(request: UndoRequest = {}): Operation | Nothing | Refusal {
    return this.carryOut(planUndo(this.history, request));
  }

  redo(count = 1): Operation | Nothing | Refusal {
    return this.carryOut(planRedo(this.history, { count }));
  }

  revert(request: RevertRequest) {
    return this.carryOut(planRevert(this.history, request));
  }

  /** The operation that began a turn. */
  startOf(turn: string): string {
    return this.log.find(({ kind, turn_id }) => kind === "turn-started" && turn_id === turn)?.id ?? "";
  }

  jump(operation: string) {
    const plan = planJump(this.history, { operation, new_take: this.id("t") });
    return isRefusal(plan) ? plan : this.try(completeJump(this.history, this.context(), plan));
  }

  /** Takes the last turn back and makes another in its place. */
  retry(prompt?: string, files?: string): string {
    const planned = planRetry(this.history);
    if (isRefusal(planned)) throw new Error(planned.message);
    const done = this.carryOut(planned.plan);
    if (!("diff" in done)) throw new Error(done.message);
    return this.turn(prompt ?? planned.prompt, "another answer", files, done.id);
  }

  /** A turn with an answer, and files when a tree is named. */
  turn(prompt: string, answer = `answer to ${prompt}`, files?: string, retries?: string): string {
    const turn_id = this.id("turn");
    const started = {
      turn_id,
      prompt: { id: promptEntryId(turn_id), content: prompt },
      ...(retries ? { retries } : {}),
    };
    this.must(startTurn(this.state, this.context(), started));
    this.must(
      streamTurn(this.state, this.context({ actor: { kind: "agent" } }), {
        turn_id,
        entry: stepEntryId(turn_id, 1),
        text: answer,
      }),
    );
    this.must(
      finishTurn(this.state, this.context({ actor: { kind: "agent" } }), {
        turn_id,
        status: "finished",
        ...(files ? { tree: files } : {}),
      }),
    );
    return turn_id;
  }

  /** Everything that the active take holds except its draft, which an undo may set. */
  records(): Map<string, unknown> {
    const records = new Map<string, unknown>(recordsIn(this.state.spaces.get(activeTake(this.state)) as Space));
    records.delete("setting:draft");
    for (const id of records.keys()) if (id.startsWith("group:")) records.delete(id);
    return records;
  }

  contents(take = activeTake(this.state)): string[] {
    return [...entries(this.state, take)].map((entry) => entry.content);
  }
}

/** Everything that a user can see of a state, as one text: equal texts mean equal states. */
export function visibleText(state: State): string {
  return canonical(visible(state) as Json);
}

/** Everything a user can see of a state, as plain data to compare. */
export function visible(state: State): unknown {
  return {
    active: activeTake(state),
    thread: [...state.thread.entries()].filter(([id]) => canBeSeen(id)),
    takes: takes(state).map(({ id, name, deleted }) => ({
      id,
      name,
      deleted,
      tree: tree(state, id),
      settings: settings(state, id),
      entries: [...entries(state, id)],
      records: [...recordsIn(state.spaces.get(id) as Space)].filter(([local]) => canBeSeen(local)),
      order: [...(state.spaces.get(id)?.order.entries() ?? [])],
    })),
    spaces: [...state.spaces.entries()].map(([id]) => id),
  };
}

/** Groups that can be undone and numbers of turns are not visible: they differ after an undo. */
function canBeSeen(id: string): boolean {
  return kindOf(id) !== "group" && kindOf(id) !== "numbers";
}
