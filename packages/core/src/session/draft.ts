import type { JsonObject } from "../values/json.ts";
import { idProblem, quoted } from "../values/text.ts";
import { isMoment } from "../values/time.ts";
import { type Change, changeBetween, type Diff, type RecordValue, type SpaceChange, type SpaceSource } from "./diff.ts";
import { groupId, recordedRole } from "./group-record.ts";
import { storedValue } from "./kinds.ts";
import type { Actor, Operation, OperationId, OperationKind, Undone } from "./operation.ts";
import { type RecordId, type TakeId, takeOf } from "./record.ts";
import { isRefusal, type Refusal, refuse } from "./refusal.ts";
import { recordOf, type State, withRecord, withSpace } from "./state.ts";
import { activeTake, takeById } from "./view.ts";

/**
 * How every operation is made. A constructor changes a draft of the state, record by record; the difference between the
 * draft and the first state is the operation's diff. So no constructor writes a diff by hand, a diff cannot disagree
 * with the state, and a change that is reversed within one operation leaves no trace.
 */
export interface Context {
  /** The id of the operation, made by the caller. */
  readonly id: OperationId;
  /** Milliseconds since 1970, from the caller's clock. */
  readonly at: number;
  readonly actor: Actor;
  /** The take it acts on; without one, the active take. */
  readonly take?: TakeId;
  /** The version the caller saw. The operation is refused when the thread has a newer one. */
  readonly expected_version?: number;
}

export type Built = { readonly kind: "operation"; readonly operation: Operation } | Refusal;

/** The facts about its operation that a constructor reports, besides the changed records. */
export interface Outline {
  readonly kind: OperationKind;
  readonly description: string;
  readonly scope?: Operation["scope"];
  readonly take?: TakeId;
  readonly group?: OperationId;
  readonly turn_id?: string;
  readonly undoes?: readonly Undone[];
  readonly redoes?: readonly OperationId[];
  readonly merges?: { readonly head: OperationId; readonly version: number };
  /** An operation without changes is refused unless this is set: some are worth recording anyway. */
  readonly evenIfEmpty?: boolean;
}

export function build(state: State, context: Context, edit: (draft: Draft) => Outline | Refusal): Built {
  const wrong = contextProblem(state, context);
  if (wrong) return wrong;
  const draft = new Draft(state, context);
  const outline = edit(draft);
  if (isRefusal(outline)) return outline;
  const diff = draft.diff();
  if (diff.changes.length === 0 && !diff.spaces && !outline.evenIfEmpty) {
    return refuse("nothing-to-do", "Nothing to change: it is like that already.");
  }
  const { merges, evenIfEmpty: _, ...said } = outline;
  recordGroup(draft, outline);
  const operation: Operation = {
    id: context.id,
    version: draft.version,
    parents: [...(state.head === null ? [] : [state.head]), ...(merges ? [merges.head] : [])],
    take: draft.take,
    scope: "take",
    group: context.id,
    actor: context.actor,
    created_at: context.at,
    ...said,
    diff: draft.diff(),
  };
  return { kind: "operation", operation };
}

/** The first operation of a group creates the group's record. From then on the group can be taken back. */
export function recordGroup(
  draft: Draft,
  { kind, scope, take, group, turn_id }: Pick<Outline, "group" | "kind" | "scope" | "take" | "turn_id">,
): void {
  const role = recordedRole({ kind });
  if (role === undefined || (group !== undefined && group !== draft.id)) return;
  const record = groupId(scope === "thread" ? undefined : (take ?? draft.take), draft.version);
  draft.put(record, { id: draft.id, role, ...(turn_id === undefined ? {} : { turn_id }) });
}

export class Draft {
  readonly base: State;
  readonly take: TakeId;
  readonly at: number;
  readonly id: OperationId;
  readonly actor: Actor;
  /** The version of the operation. */
  version: number;
  state: State;
  readonly #touched = new Map<RecordId, RecordValue>();
  readonly #spaces: SpaceChange[] = [];

  constructor(state: State, context: Context) {
    this.base = state;
    this.state = state;
    this.take = context.take ?? activeTake(state);
    this.at = context.at;
    this.id = context.id;
    this.actor = context.actor;
    this.version = state.version + 1;
  }

  get(id: RecordId): RecordValue {
    return recordOf(this.state, id);
  }

  put(id: RecordId, value: JsonObject): void {
    this.#write(id, value);
  }

  /** Sets fields of an existing record; `undefined` removes a field. */
  update(id: RecordId, fields: { readonly [name: string]: JsonObject[string] | undefined }): void {
    const value: Record<string, JsonObject[string]> = { ...this.get(id) };
    for (const [name, field] of Object.entries(fields)) {
      if (field === undefined) delete value[name];
      else value[name] = field;
    }
    this.#write(id, value);
  }

  remove(id: RecordId): void {
    if (this.get(id) !== undefined) this.#write(id, undefined);
  }

  /** Gives a take the space that `source` names. `past` is the state after the operation in `source`. */
  graft(take: TakeId, source: SpaceSource, past: State): void {
    this.#exchange(take, source, past);
  }

  /** Removes a take's space; it stays in the log. */
  drop(take: TakeId): void {
    this.#exchange(take, null, this.state);
  }

  diff(): Diff {
    const changes: Change[] = [];
    for (const [id, before] of this.#touched) {
      const change = changeBetween(id, before, this.get(id));
      if (change) changes.push(change);
    }
    return this.#spaces.length === 0 ? { changes } : { changes, spaces: this.#spaces };
  }

  #write(id: RecordId, value: RecordValue): void {
    if (!this.#touched.has(id)) this.#touched.set(id, this.get(id));
    this.state = withRecord(this.state, id, storedValue(id, value));
  }

  #exchange(take: TakeId, after: SpaceSource | null, past: State): void {
    const { head, spaces } = this.base;
    const known = this.#spaces.findIndex((change) => change.take === take);
    const before = head !== null && spaces.has(take) ? { operation: head, take } : null;
    if (known >= 0) this.#spaces.splice(known, 1);
    if (before !== null || after !== null) this.#spaces.push({ take, before, after });
    // Changes recorded before belong to the replaced space.
    for (const id of this.#touched.keys()) if (takeOf(id) === take) this.#touched.delete(id);
    this.state = withSpace(this.state, take, after, () => past);
  }
}

function contextProblem(state: State, context: Context): Refusal | undefined {
  const idWrong = idProblem(context.id);
  if (idWrong) return refuse("invalid-input", `The operation's id ${idWrong}.`);
  if (!isMoment(context.at))
    return refuse("invalid-input", "The time of an operation must be whole milliseconds since 1970.");
  const { expected_version: expected, take } = context;
  if (expected !== undefined && expected !== state.version) {
    return refuse(
      "stale-version",
      `The thread has changed: it is at version ${state.version}, not ${String(expected)}. Nothing was changed; read it again and repeat.`,
      {
        expected: Number.isFinite(expected) ? expected : null,
        actual: state.version,
      },
    );
  }
  if (take !== undefined && (typeof take !== "string" || !state.spaces.has(take) || takeById(state, take)?.deleted)) {
    return refuse("not-found", `There is no take with the id ${quoted(take)}.`);
  }
  return undefined;
}
