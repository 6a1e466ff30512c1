import { type Built, build, type Context, Draft } from "../session/draft.ts";
import type { Entry } from "../session/entry.ts";
import { type LiveGroup, lastRedoable, liveGroups } from "../session/live-groups.ts";
import type { Operation, OperationKind, UndoScope } from "../session/operation.ts";
import type { TurnReceipt } from "../session/receipt.ts";
import { kindOf, spaceId, type TakeId, takeOf } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import { activeTake, entryById, inSpace, runningTurn, setting, turn } from "../session/view.ts";
import type { JsonObject } from "../values/json.ts";
import type { Taken, Transition } from "./group-changes.ts";
import type { History } from "./history.ts";
import { brokenInvariant, type Conflict, type ConflictPolicy, takeBack, without } from "./take-back.ts";

/**
 * Undo, redo and revert, decided. A plan says what would be taken back and touches nothing; the files are put
 * back by `runtime/undo`, and then `completePlan` makes the operation, with the trees that the files came to.
 *
 * A plan is made by doing it on a draft that is thrown away. The groups that are in force are records of the draft, so
 * what one step brings back (a retry, a revert) or leaves (a branch, a switch) is there for the next: one plan goes
 * through any number of takes, and is one operation.
 */
export interface Plan {
  readonly kind: "plan";
  readonly operation: OperationKind;
  readonly take: TakeId;
  /** The version it was made for: it is void when the thread has gone on. */
  readonly version: number;
  readonly groups: readonly Taken[];
  readonly policy: ConflictPolicy;
  /** What the files of each take must be taken back through, newest first. */
  readonly files: ReadonlyMap<TakeId, readonly Transition[]>;
  /** The take that is active now, and the one that will be: its files are then the ones to have on disk. */
  readonly active: { readonly before: TakeId; readonly after: TakeId };
  /** Records that were changed since. With the policy `abort` the plan cannot be completed. */
  readonly conflicts: readonly Conflict[];
  /** What the turns did, or the call that alone is taken back: some of it no undo takes back (X8). */
  readonly receipts: readonly TakenReceipt[];
  readonly turns_undone: number;
  readonly messages_removed: number;
  /** The prompt of the earliest turn that is undone. */
  readonly original_user_text: string | null;
  /** What becomes of that prompt (U3): the draft again, an entry of its own, or nothing. */
  readonly prompt: "draft" | "entry" | "gone";
  readonly description: string;
  readonly links: Pick<Operation, "undoes" | "redoes">;
}

export interface TakenReceipt {
  readonly turn_id: string;
  readonly receipt: TurnReceipt | undefined;
  readonly result?: Entry | undefined;
}

export interface UndoRequest {
  readonly take?: TakeId;
  /** How many: turns and whole-conversation steps, or with `steps`, steps of any kind. */
  readonly count?: number;
  readonly steps?: boolean;
  readonly scope?: UndoScope;
  /** U3: the prompt stays as an entry, instead of coming back as the draft. */
  readonly keep_prompt?: boolean;
  readonly on_conflict?: ConflictPolicy;
}

export type Nothing = { readonly kind: "nothing"; readonly message: string };

type Choice = Pick<Plan, "operation" | "take" | "policy" | "prompt">;

/** Decides what undo would take back. Touches nothing; `runtime/undo` carries it out. */
export function planUndo(history: History, request: UndoRequest = {}): Plan | Nothing | Refusal {
  const take = request.take ?? activeTake(history.state);
  const count = request.count ?? 1;
  const scope = request.steps ? "both" : (request.scope ?? "both");
  const wrong = requestProblem(history, take, count, scope, request.on_conflict);
  if (wrong) return wrong;
  const trial = new Trial(history, {
    ...{
      operation: "undone",
      take,
      policy: request.on_conflict ?? "abort",
      prompt: request.keep_prompt ? "entry" : "draft",
    },
  });
  const running = runningTurn(history.state, take);
  const depth = setting(history.state, take, "undo_depth");
  let passed = 0;
  let before: LiveGroup | undefined;
  for (let counted = 0; counted < count; ) {
    const at = trial.take;
    const group = at === undefined ? undefined : first(liveGroups(trial.state, at, before));
    if (!group || at === undefined) break;
    before = group;
    const { role, turn_id, left } = group.record;
    if (role === "undo") continue;
    // Steps since a running turn began can be taken back; the turn itself and what was before it cannot.
    if (running !== undefined && turn_id === running) {
      if (trial.taken.length === 0) return refuseRunning("undone");
      break;
    }
    passed += 1;
    if (depth > 0 && passed > depth) break;
    const wanted = role === "step" && !request.steps ? undefined : common(scope, left ?? "both");
    if (wanted === undefined) continue;
    if (trial.takeBack(group, at, wanted)) counted += 1;
    if (trial.take !== at) before = undefined;
    if (counted === count || trial.take === undefined) break;
  }
  if (trial.taken.length === 0) return { kind: "nothing", message: "Nothing to undo" };
  const undoes = trial.taken.map(({ group, scope }) => ({ group: group.record.id, scope }));
  return trial.plan(describe("Undo", trial.taken), { undoes });
}

/** Redo takes undos back, newest first: what the last undo took returns exactly. A change since has ended it. */
export function planRedo(
  history: History,
  request: { readonly take?: TakeId; readonly count?: number; readonly on_conflict?: ConflictPolicy } = {},
): Plan | Nothing | Refusal {
  const take = request.take ?? activeTake(history.state);
  const count = request.count ?? 1;
  const wrong = requestProblem(history, take, count, "both", request.on_conflict);
  if (wrong) return wrong;
  if (runningTurn(history.state, take) !== undefined) return refuseRunning("redone");
  const trial = new Trial(history, {
    operation: "redone",
    take,
    policy: request.on_conflict ?? "abort",
    prompt: "gone",
  });
  while (trial.taken.length < count && trial.take !== undefined) {
    const undo = lastRedoable(trial.state, trial.take);
    if (!undo) break;
    trial.takeBack(undo, trial.take, "both");
  }
  if (trial.taken.length === 0) return { kind: "nothing", message: "Nothing to redo" };
  const redoes = trial.taken.map(({ group }) => group.record.id);
  return trial.plan(describe("Redo", trial.taken).replace("Redo: Undo", "Redo"), { redoes });
}

/** A plan in the making: groups are taken back on a draft, one after the other. */
export class Trial {
  readonly #history: History;
  readonly #choice: Choice;
  readonly #draft: Draft;
  readonly #work: Work;
  readonly taken: Taken[] = [];

  constructor(history: History, choice: Choice) {
    this.#history = history;
    this.#choice = choice;
    this.#draft = new Draft(history.state, { id: "trial", at: 0, actor: { kind: "system" }, take: choice.take });
    this.#work = new Work(this.#draft, history, choice);
  }

  get state() {
    return this.#draft.state;
  }

  /** The take whose history goes on; undefined where it has gone. */
  get take(): TakeId | undefined {
    return this.#work.take;
  }

  /** Answers whether there was anything to take back. */
  takeBack(group: LiveGroup, take: TakeId, scope: UndoScope, result?: string): boolean {
    const description = this.#history.operation(group.record.id)?.description ?? "";
    const taken = { group, take, scope, description, ...(result === undefined ? {} : { result }) };
    const { effect } = this.#work.takeBack(taken);
    if (effect) this.taken.push(taken);
    return effect;
  }

  plan(description: string, links: Plan["links"]): Plan {
    this.#work.finish();
    const { conflicts, files, prompt, receipts } = this.#work;
    const removed = this.#draft.diff().changes.filter(({ kind, id }) => kind === "remove" && kindOf(id) === "entry");
    return {
      kind: "plan",
      ...this.#choice,
      version: this.#history.state.version,
      groups: this.taken,
      files,
      active: { before: activeTake(this.#history.state), after: activeTake(this.#draft.state) },
      conflicts,
      receipts,
      turns_undone: this.taken.filter(({ group, result }) => group.record.role === "turn" && result === undefined)
        .length,
      messages_removed: removed.length,
      original_user_text: prompt ?? null,
      description,
      links,
    };
  }
}

/** Takes groups back on a draft, and minds what is of all of them together: the files, and the first turn's prompt. */
class Work {
  readonly #draft: Draft;
  readonly #history: History;
  readonly #choice: Choice;
  readonly conflicts: Conflict[] = [];
  readonly receipts: TakenReceipt[] = [];
  readonly files = new Map<TakeId, Transition[]>();
  /** The take whose history goes on: another one when what was taken back had made it active. */
  take: TakeId | undefined;
  /** The prompt of the earliest turn, and what is kept of it: the entry, and the draft as it was typed. */
  prompt: string | undefined;
  #kept:
    | { readonly take: TakeId; readonly entry: JsonObject | undefined; readonly typed: JsonObject | undefined }
    | undefined;

  constructor(draft: Draft, history: History, choice: Choice) {
    this.#draft = draft;
    this.#history = history;
    this.#choice = choice;
    this.take = choice.take;
  }

  takeBack(taken: Taken) {
    const { group, take, scope, result } = taken;
    // Read first: it goes with the turn.
    if (group.record.role === "turn") this.#readReceipt(taken);
    if (group.record.role === "turn" && scope !== "files" && result === undefined) this.#readPrompt(taken);
    const active = activeTake(this.#draft.state);
    const done = takeBack(this.#draft, taken, this.#history, this.#choice);
    this.conflicts.push(...done.conflicts);
    for (const [of, transitions] of done.files) this.files.set(of, [...(this.files.get(of) ?? []), ...transitions]);
    const follows = take === active ? activeTake(this.#draft.state) : take;
    this.take = this.#draft.state.spaces.has(follows) ? follows : undefined;
    return done;
  }

  /** U3: the prompt stays as an entry, or is the draft again, as it was typed, unless the user has begun another one. */
  finish(): void {
    if (!this.#kept || !this.#draft.state.spaces.has(this.#kept.take)) return;
    const { take, entry, typed } = this.#kept;
    if (entry) {
      this.#draft.put(spaceId(take, "entry", String(entry["id"])), entry);
      return;
    }
    if (this.#choice.prompt !== "draft" || this.prompt === undefined) return;
    const draft = inSpace(this.#draft.state, take, "setting", "draft");
    if (draft && !draft.returned) return;
    this.#draft.put(spaceId(take, "setting", "draft"), { value: this.prompt, ...typed, returned: true });
  }

  #readReceipt({ group, take, result }: Taken): void {
    const entry = result === undefined ? undefined : entryById(this.#draft.state, take, result);
    const turn_id = group.record.turn_id ?? entry?.turn_id ?? "";
    const receipt = turn(this.#draft.state, take, turn_id)?.receipt;
    this.receipts.push({ turn_id, receipt, ...(entry ? { result: entry } : {}) });
  }

  #readPrompt({ group, take }: Taken): void {
    const asked = turn(this.#draft.state, take, group.record.turn_id ?? "");
    if (!asked) return;
    this.prompt = asked.prompt;
    const entry = this.#choice.prompt === "entry" ? entryById(this.#draft.state, take, asked.prompt_entry) : undefined;
    // No longer part of a turn.
    const { turn_id: _, ...kept } = (entry ?? {}) as JsonObject;
    this.#kept = { take, entry: entry && kept, typed: this.#typed(group) };
  }

  /** The draft that sending the prompt emptied. */
  #typed({ record }: LiveGroup): JsonObject | undefined {
    const started = this.#history.group(record.id).find(({ kind }) => kind === "turn-started");
    const emptied = started?.diff.changes.find(({ id }) => id === spaceId(started.take, "setting", "draft"));
    return emptied?.kind === "remove" ? emptied.before : undefined;
  }
}

/** What the files came to when a plan was carried out, by take: of those that the plan names. */
export interface FilesOutcome {
  readonly trees?: ReadonlyMap<TakeId, string>;
}

/** The operation of a plan, once its files are what they came to. */
export function completePlan(
  history: History,
  context: Context,
  plan: Plan,
  { trees = new Map() }: FilesOutcome = {},
): Built {
  if (plan.policy === "abort" && plan.conflicts.length > 0) return refuseConflicts(plan.conflicts);
  return build(history.state, { ...context, take: plan.take, expected_version: plan.version }, (draft) => {
    const work = new Work(draft, history, plan);
    for (const taken of plan.groups) work.takeBack(taken);
    work.finish();
    const broken = brokenInvariant(draft);
    if (broken) return refuse("conflict", `${broken}. Nothing was changed.`);
    for (const [take, tree] of trees) if (draft.state.spaces.has(take)) draft.put(spaceId(take, "workspace"), { tree });
    const { changes, spaces } = draft.diff();
    const thread =
      spaces !== undefined ||
      plan.groups.some(({ group }) => group.thread) ||
      changes.some(({ id }) => takeOf(id) !== plan.take);
    return {
      kind: plan.operation,
      description: plan.description,
      scope: thread ? "thread" : "take",
      // What has no effect on any record may still have had one on the files.
      evenIfEmpty: true,
      ...plan.links,
    };
  });
}

export function refuseConflicts(conflicts: readonly Conflict[]): Refusal {
  const message = conflicts[0]?.message ?? "Something was changed since";
  const more = conflicts.length > 1 ? `, and ${conflicts.length - 1} more` : "";
  return refuse(
    "conflict",
    `${message}${more}. Nothing was changed; keep it, merge it or overwrite it by naming a policy.`,
    { conflicts: conflicts.map((each) => ({ ...each })) },
  );
}

/** What two scopes have in common. */
function common(wanted: UndoScope, left: UndoScope): UndoScope | undefined {
  const missing = without("both", left);
  return missing === undefined ? wanted : without(wanted, missing);
}

function first<T>(list: Iterable<T>): T | undefined {
  for (const each of list) return each;
  return undefined;
}

export function refuseRunning(what: "changed" | "redone" | "undone"): Refusal {
  return refuse("agent-running", `The agent is working. Interrupt it or wait until it is done; nothing was ${what}.`);
}

const POLICIES: readonly unknown[] = [undefined, "abort", "keep", "merge", "overwrite"];
const SCOPES: readonly unknown[] = ["both", "conversation", "files"];

export function requestProblem(
  history: History,
  take: unknown,
  count: unknown,
  scope: unknown,
  policy: unknown,
): Refusal | undefined {
  if (typeof take !== "string" || !history.state.spaces.has(take))
    return refuse("not-found", "There is no such take. Nothing was changed.");
  if (!Number.isInteger(count) || (count as number) < 1)
    return refuse("invalid-input", "The number to take back must be a whole number from 1. Nothing was changed.");
  if (!SCOPES.includes(scope))
    return refuse("invalid-input", "The scope must be both, conversation or files. Nothing was changed.");
  if (!POLICIES.includes(policy))
    return refuse(
      "invalid-input",
      "The policy for conflicts must be abort, keep, merge or overwrite. Nothing was changed.",
    );
  return undefined;
}

function describe(verb: string, groups: readonly Taken[]): string {
  const [only] = groups;
  if (groups.length === 1 && only) return `${verb}: ${only.description}`;
  const turns = groups.filter(({ group }) => group.record.role === "turn").length;
  return turns === groups.length ? `${verb} ${turns} turns` : `${verb} ${groups.length} steps`;
}
