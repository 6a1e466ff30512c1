import { Draft } from "../session/draft.ts";
import type { LiveGroup } from "../session/live-groups.ts";
import type { UndoScope } from "../session/operation.ts";
import { kindOf, spaceId, type TakeId } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import { activeTake, entryById, inSpace, turn } from "../session/view.ts";
import type { JsonObject } from "../values/json.ts";
import { type Conflict, unresolved } from "./conflict.ts";
import type { GroupSelection, Transition } from "./group-changes.ts";
import type { History } from "./history.ts";
import type { Plan, PlanOptions, TakenReceipt } from "./plan.ts";
import { brokenInvariant, takeBack } from "./take-back.ts";

/** A plan under construction: takes groups back on a draft, one after the other. */
export class Trial {
  readonly #history: History;
  readonly #choice: PlanOptions;
  readonly #draft: Draft;
  readonly #reversal: GroupReversal;
  readonly taken: GroupSelection[] = [];
  #changesRecords = false;

  constructor(history: History, choice: PlanOptions) {
    this.#history = history;
    this.#choice = choice;
    this.#draft = new Draft(history.state, { id: "trial", at: 0, actor: { kind: "system" }, take: choice.take });
    this.#reversal = new GroupReversal(this.#draft, history, choice);
  }

  get state() {
    return this.#draft.state;
  }

  /** The take in which the history continues; undefined when it no longer exists. */
  get take(): TakeId | undefined {
    return this.#reversal.take;
  }

  /** Returns whether there was anything to take back. */
  takeBack(group: LiveGroup, take: TakeId, scope: UndoScope, result?: string): boolean {
    const description = this.#history.operation(group.record.id)?.description ?? "";
    const taken = { group, take, scope, description, ...(result === undefined ? {} : { result }) };
    const { effect, changesRecords } = this.#reversal.takeBack(taken);
    if (effect) this.taken.push(taken);
    this.#changesRecords ||= changesRecords;
    return effect;
  }

  /** H14: whatever could not be completed is refused here, unless conflicts have to be decided first. */
  plan(description: string, links: Plan["links"]): Plan | Refusal {
    this.#reversal.finish();
    const { conflicts, files, prompt, receipts } = this.#reversal;
    const broken = brokenInvariant(this.#draft);
    if (broken && unresolved({ ...this.#choice, conflicts }).length === 0)
      return refuse("conflict", `${broken}. Nothing was changed.`);
    const { changes } = this.#draft.diff();
    const count = (change: "create" | "remove", record: string) =>
      changes.filter(({ kind, id }) => kind === change && kindOf(id) === record).length;
    return {
      kind: "plan",
      ...this.#choice,
      version: this.#history.state.version,
      groups: this.taken,
      files,
      changes_records: this.#changesRecords,
      active: { before: activeTake(this.#history.state), after: activeTake(this.#draft.state) },
      conflicts,
      receipts,
      turns_undone: this.taken.filter(({ group, result }) => group.record.role === "turn" && result === undefined)
        .length,
      messages_removed: count("remove", "entry"),
      turns_returned: count("create", "turn"),
      messages_returned: count("create", "entry"),
      original_user_text: prompt ?? null,
      description,
      links,
    };
  }
}

/**
 * Takes groups back on a draft, and collects what concerns all of them: the files, and the prompt of the earliest turn.
 */
export class GroupReversal {
  readonly #draft: Draft;
  readonly #history: History;
  readonly #choice: PlanOptions;
  readonly conflicts: Conflict[] = [];
  readonly receipts: TakenReceipt[] = [];
  readonly files = new Map<TakeId, Transition[]>();
  /** The take in which the history continues. It changes when a group that is taken back had made the take active. */
  take: TakeId | undefined;
  /** The prompt of the earliest turn. */
  prompt: string | undefined;
  #original:
    | { readonly take: TakeId; readonly entry: JsonObject | undefined; readonly draft: JsonObject | undefined }
    | undefined;

  constructor(draft: Draft, history: History, choice: PlanOptions) {
    this.#draft = draft;
    this.#history = history;
    this.#choice = choice;
    this.take = choice.take;
  }

  takeBack(taken: GroupSelection) {
    const { group, take, scope, result } = taken;
    // Read before the turn is removed.
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

  /**
   * U3: keeps the prompt as an entry, or makes it the draft again as it was typed, unless the user has begun another
   * draft.
   */
  finish(): void {
    if (!this.#original || !this.#draft.state.spaces.has(this.#original.take)) return;
    const { take, entry, draft: before } = this.#original;
    if (entry) {
      this.#draft.put(spaceId(take, "entry", String(entry["id"])), entry);
      return;
    }
    if (this.#choice.prompt !== "draft" || this.prompt === undefined) return;
    const draft = inSpace(this.#draft.state, take, "setting", "draft");
    if (draft && !draft.returned) return;
    this.#draft.put(spaceId(take, "setting", "draft"), { value: this.prompt, ...before, returned: true });
  }

  #readReceipt({ group, take, result }: GroupSelection): void {
    const entry = result === undefined ? undefined : entryById(this.#draft.state, take, result);
    const turn_id = group.record.turn_id ?? entry?.turn_id ?? "";
    const receipt = turn(this.#draft.state, take, turn_id)?.receipt;
    this.receipts.push({ turn_id, receipt, ...(entry ? { result: entry } : {}) });
  }

  #readPrompt({ group, take }: GroupSelection): void {
    const record = turn(this.#draft.state, take, group.record.turn_id ?? "");
    if (!record) return;
    this.prompt = record.prompt;
    const entry = this.#choice.prompt === "entry" ? entryById(this.#draft.state, take, record.prompt_entry) : undefined;
    // The entry is no longer part of a turn.
    const { turn_id: _, ...withoutTurn } = (entry ?? {}) as JsonObject;
    this.#original = { take, entry: entry && withoutTurn, draft: this.#emptiedDraft(group) };
  }

  /** The draft that was emptied when the prompt was sent. */
  #emptiedDraft({ record }: LiveGroup): JsonObject | undefined {
    const started = this.#history.group(record.id).find(({ kind }) => kind === "turn-started");
    const emptied = started?.diff.changes.find(({ id }) => id === spaceId(started.take, "setting", "draft"));
    return emptied?.kind === "remove" ? emptied.before : undefined;
  }
}
