import type { RecordValue } from "../session/diff.ts";
import { type Built, build, type Context, Draft } from "../session/draft.ts";
import { type Operation, type OperationKind, type Role, roleOf, type UndoScope } from "../session/operation.ts";
import { ACTIVE, kindOf, localId, type RecordId, spaceId, type TakeId, takeOf } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import { activeTake, readsAsDefault, runningTurn, setting } from "../session/view.ts";
import type { JsonObject } from "../values/json.ts";
import { extend, type Group, newGroup, type Transition, UndoneGroups } from "./groups.ts";
import type { History } from "./history.ts";
import { brokenInvariant, type Conflict, type ConflictPolicy, takeBack } from "./take-back.ts";
import { walk } from "./walk.ts";

/**
 * Undo, decided. A plan says what an undo would take back and touches nothing; the files are put
 * back by `runtime/undo`, and then `completePlan` makes the operation, with the tree that the files
 * came to. Redo and revert make plans of the same kind.
 */
export interface Plan {
  readonly kind: "plan";
  readonly operation: OperationKind;
  readonly take: TakeId;
  /** The version it was made for: it is void when the thread has gone on. */
  readonly version: number;
  readonly groups: readonly Group[];
  /** How many of the steps asked for are left when it is carried out, because another take is active then. */
  readonly remaining: number;
  readonly policy: ConflictPolicy;
  /** What the files must be taken back through, newest first. */
  readonly files: readonly Transition[];
  /** The take that is active now, and the one that will be: its files are then the ones to have on disk. */
  readonly active: { readonly before: TakeId; readonly after: TakeId };
  /** Records that were changed since. With the policy `abort` the plan cannot be completed. */
  readonly conflicts: readonly Conflict[];
  readonly turns_undone: number;
  readonly messages_removed: number;
  /** The prompt of the earliest turn that is undone. */
  readonly original_user_text: string | null;
  readonly keep_prompt: boolean;
  readonly description: string;
  readonly links: Pick<Operation, "undoes" | "redoes">;
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

const TURNS: readonly Role[] = ["turn", "whole"];
const STEPS: readonly Role[] = ["turn", "whole", "step"];

/** Decides what undo would take back. Touches nothing; `runtime/undo` carries it out. */
export function planUndo(history: History, request: UndoRequest = {}): Plan | Nothing | Refusal {
  const take = request.take ?? activeTake(history.state);
  const count = request.count ?? 1;
  const scope = request.steps ? "both" : (request.scope ?? "both");
  const wrong = requestProblem(history, take, count, scope, request.on_conflict);
  if (wrong) return wrong;
  const policy = request.on_conflict ?? "abort";
  const found = undoable(history, { take, count, scope, roles: request.steps ? STEPS : TURNS, policy });
  if (found.kind !== "groups") return found;
  if (found.groups.length === 0) return { kind: "nothing", message: "Nothing to undo" };
  return makePlan(history, {
    operation: "undone",
    take,
    groups: found.groups,
    remaining: found.groups.some(leavesTake) ? count - found.effective : 0,
    policy,
    keep_prompt: request.keep_prompt === true,
    description: describe("Undo", found.groups),
    links: { undoes: found.groups.map((group) => ({ group: group.id, scope: group.scope })) },
  });
}

export function makePlan(
  history: History,
  parts: Pick<Plan, "operation" | "take" | "groups" | "remaining" | "policy" | "keep_prompt" | "description" | "links">,
): Plan {
  const { groups, take } = parts;
  const turns = groups.filter((group) => group.role === "turn");
  const prompt = turnIn(firstTurn(groups), take)?.["prompt"];
  const active = activeTake(history.state);
  const plan: Plan = {
    kind: "plan",
    ...parts,
    version: history.state.version,
    files: groups.flatMap((group) => (group.scope === "conversation" ? [] : group.files)),
    active: { before: active, after: active },
    conflicts: [],
    turns_undone: turns.length,
    messages_removed: 0,
    original_user_text: typeof prompt === "string" ? prompt : null,
  };
  // A trial run on a draft that is thrown away: the plan says exactly what completing it will do.
  const draft = trial(history, take);
  const conflicts = carryOut(draft, plan, history);
  const removed = draft.diff().changes.filter((change) => change.kind === "remove" && kindOf(change.id) === "entry");
  return {
    ...plan,
    conflicts,
    messages_removed: removed.length,
    active: { before: active, after: activeTake(draft.state) },
  };
}

function trial(history: History, take: TakeId): Draft {
  return new Draft(history.state, { id: "trial", at: 0, actor: { kind: "system" }, take });
}

/** What the files came to when a plan was carried out. */
export interface FilesOutcome {
  /** Those of the plan's take; absent where it touches none. */
  readonly tree?: string;
  /** Those of takes that are not on disk, where a conflict about them (`files`) turned out to be none. */
  readonly elsewhere?: ReadonlyMap<RecordId, string>;
}

/** The operation of a plan, once its files are what they came to. */
export function completePlan(
  history: History,
  context: Context,
  plan: Plan,
  { tree, elsewhere = new Map() }: FilesOutcome = {},
): Built {
  const conflicts = plan.conflicts.filter(({ record }) => !elsewhere.has(record));
  if (plan.policy === "abort" && conflicts.length > 0) return refuseConflicts(conflicts);
  return build(history.state, { ...context, take: plan.take, expected_version: plan.version }, (draft) => {
    carryOut(draft, plan, history);
    const broken = brokenInvariant(draft);
    if (broken) return refuse("conflict", `${broken}. Nothing was changed.`);
    const trees = new Map(elsewhere);
    if (tree !== undefined) trees.set(spaceId(plan.take, "workspace"), tree);
    for (const [record, of] of trees) if (draft.state.spaces.has(takeOf(record) ?? "")) draft.put(record, { tree: of });
    const thread = plan.groups.some(
      (group) => group.thread || [...group.records.keys()].some((id) => !id.startsWith(`${plan.take}/`)),
    );
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

function carryOut(draft: Draft, plan: Plan, history: History): Conflict[] {
  const conflicts: Conflict[] = [];
  const first = firstTurn(plan.groups);
  let kept: JsonObject | undefined;
  for (const group of plan.groups) {
    // Read here: what is taken back before may be what brings it back.
    if (group === first && plan.keep_prompt) kept = promptOf(draft, group, plan.take);
    conflicts.push(...takeBack(draft, group, history, plan));
  }
  // The take may have gone together with the turn, when its branch is taken back too.
  if (!draft.state.spaces.has(plan.take)) return conflicts;
  if (kept) draft.put(spaceId(plan.take, "entry", kept["id"] as string), kept);
  else if (first) returnPrompt(draft, plan, first);
  return conflicts;
}

/** The earliest turn whose entries are taken back. */
function firstTurn(groups: readonly Group[]): Group | undefined {
  return groups.filter((group) => group.role === "turn" && group.scope !== "files").at(-1);
}

/** A turn's record as the turn left it. */
function turnIn(group: Group | undefined, take: TakeId): RecordValue {
  return group?.turn_id === undefined ? undefined : group.records.get(spaceId(take, "turn", group.turn_id))?.after;
}

/** The prompt as an entry of its own, no longer part of a turn. */
function promptOf(draft: Draft, group: Group, take: TakeId): JsonObject | undefined {
  const id = turnIn(group, take)?.["prompt_entry"];
  const entry = typeof id === "string" ? draft.get(spaceId(take, "entry", id)) : undefined;
  if (!entry) return undefined;
  const { turn_id: _, ...kept } = entry;
  return kept;
}

/** U3: the prompt's text is the draft again, as it was typed, unless the user has begun another one. */
function returnPrompt(draft: Draft, plan: Plan, first: Group): void {
  if (plan.operation !== "undone" || plan.original_user_text === null) return;
  const record = spaceId(plan.take, "setting", "draft");
  const typed = first.records.get(record)?.before;
  if (setting(draft.state, plan.take, "draft") === "") draft.put(record, typed ?? { value: plan.original_user_text });
}

export function refuseConflicts(conflicts: readonly Conflict[]): Refusal {
  const first = conflicts[0]?.message ?? "Something was changed since";
  const more = conflicts.length > 1 ? `, and ${conflicts.length - 1} more` : "";
  return refuse(
    "conflict",
    `${first}${more}. Nothing was changed; keep it, merge it or overwrite it by naming a policy.`,
    {
      conflicts: conflicts as unknown as JsonObject[],
    },
  );
}

interface Search {
  readonly take: TakeId;
  readonly count: number;
  readonly roles: readonly Role[];
  readonly scope: UndoScope;
  readonly policy: ConflictPolicy;
}

/**
 * The last groups that are not undone, newest first: as many as were asked for that have an effect. An
 * edit of an entry that has since gone with its turn has none left; it is taken along, uncounted.
 */
function undoable(history: History, search: Search): { kind: "groups"; groups: Group[]; effective: number } | Refusal {
  for (let most = search.count; ; ) {
    const found = lastGroups(history, search, most);
    if (found.kind !== "groups") return found;
    const groups = found.groups.filter((group) => !group.leftOut);
    const effective = groups.length - withoutEffect(history, search, groups);
    if (effective === search.count || found.groups.length < most)
      return { kind: "groups", groups: effective === 0 ? [] : groups, effective };
    most += search.count - effective;
  }
}

function withoutEffect(history: History, search: Search, groups: readonly Group[]): number {
  const draft = trial(history, search.take);
  let idle = 0;
  for (const group of groups) {
    const before = draft.state;
    const files = group.scope === "conversation" ? 0 : group.files.length;
    const conflicts = takeBack(draft, group, history, { operation: "undone", policy: search.policy });
    const seen = draft.state !== before && canBeSeen(group);
    if (!seen && conflicts.length === 0 && files === 0 && group.role !== "turn") idle += 1;
  }
  return idle;
}

/** No record, and one that holds the default, read the same (R4). */
function canBeSeen({ records, spaces }: Group): boolean {
  const reads = (id: RecordId, value: RecordValue) => readsAsDefault(localId(id), value);
  return spaces.length > 0 || [...records].some(([id, { before, after }]) => !reads(id, before) || !reads(id, after));
}

function lastGroups(history: History, search: Search, most: number): { kind: "groups"; groups: Group[] } | Refusal {
  const running = runningTurn(history.state, search.take);
  const depth = setting(history.state, search.take, "undo_depth");
  const undone = new UndoneGroups();
  const groups = new Map<string, Group>();
  const passed = new Set<string>();
  for (const step of walk(history, search.take)) {
    const { operation } = step;
    if (STEPS.includes(roleOf(operation)) && !passed.has(operation.group)) {
      // Steps since a running turn began can be taken back; the turn itself and what was before it cannot.
      if (running !== undefined && operation.turn_id === running) {
        if (operation.kind !== "turn-started") continue;
        if (groups.size === 0) return refuseRunning();
        break;
      }
      passed.add(operation.group);
      const left = undone.left(step, search.scope);
      const wanted = search.roles.includes(roleOf(operation)) && left !== undefined;
      const within = groups.size < most && (depth === 0 || passed.size <= depth);
      if (wanted && within) groups.set(operation.group, newGroup(step, left));
    }
    const group = groups.get(operation.group);
    // What a revert or a retry took back is there again when that is undone; not where the branch left it out.
    undone.pass(step, group?.leftOut ? undefined : group?.scope);
    if (group) extend(group, step);
    const done = [...groups.values()].every((each) => each.complete);
    if (done && (groups.size >= most || (group && leavesTake(group)))) break;
  }
  return { kind: "groups", groups: [...groups.values()] };
}

/** Behind a branch or a switch the history is another take's: it is planned anew from there. */
export function leavesTake(group: Group): boolean {
  return group.spaces.length > 0 || group.records.has(ACTIVE);
}

function refuseRunning(): Refusal {
  return refuse("agent-running", "The agent is working. Interrupt it or wait until it is done; nothing was undone.");
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

export function describe(verb: string, groups: readonly Group[]): string {
  const [first] = groups;
  if (groups.length === 1 && first) return `${verb}: ${first.description}`;
  const turns = groups.filter((group) => group.role === "turn").length;
  return turns === groups.length ? `${verb} ${turns} turns` : `${verb} ${groups.length} steps`;
}
