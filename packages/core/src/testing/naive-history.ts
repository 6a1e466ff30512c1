import { type Flags, type Flip, type Item, type Line, type NaiveModel, replay, type Scope } from "./naive-model.ts";

/** Undo and redo in the naive model: which commands they flip. Nothing here changes the model permanently. */

export interface UndoChoice {
  readonly flips: readonly Flip[];
  /** Includes commands that were skipped because they change nothing: something later may conflict with them. */
  readonly tried: readonly Flip[];
  /** The turns among them, newest first, with the take in which each was taken back. */
  readonly turns: readonly { readonly item: Item; readonly take: string }[];
  /** How many of them have an effect; when none has, there is nothing to undo. */
  readonly effective: number;
  readonly missing: number;
}

export interface UndoWish {
  readonly count: number;
  readonly steps: boolean;
  readonly scope: Scope;
}

/** The last groups that are not undone and whose undo has an effect, and those skipped on the way. */
export function chooseUndo(model: NaiveModel, take: string, wish: UndoWish): UndoChoice {
  return model.trying(() => findUndo(model, take, wish));
}

function findUndo(model: NaiveModel, take: string, wish: UndoWish): UndoChoice {
  const flips: Flip[] = [];
  const tried: Flip[] = [];
  const turns: { item: Item; take: string }[] = [];
  let passed = new Set<Flags>();
  let effective = 0;
  let at = take;
  while (effective < wish.count && model.exists(at)) {
    const item = model.visible(at).find(({ role, flags }) => role !== "note" && role !== "undo" && !passed.has(flags));
    if (!item) break;
    passed.add(item.flags);
    if (item.role === "step" && !wish.steps) continue;
    const scope = left(item.flags, wish.scope);
    if (scope === undefined) continue;
    const before = model.fingerprint();
    const flip = { flags: item.flags, scope, undone: true };
    tried.push(flip);
    // Commands without any effect left are skipped.
    if (item.role !== "turn" && model.flipped([flip], () => model.fingerprint()) === before) continue;
    model.flip([flip]);
    effective += 1;
    flips.push(flip);
    const prompt = groupOf(model, item.flags).find((each) => each.prompt);
    if (prompt && scope !== "files") turns.push({ item: prompt, take: at });
    // In another take the search starts again from its end.
    if (model.active !== at) passed = new Set();
    at = model.active;
  }
  return { flips, tried, turns, effective, missing: wish.count - effective };
}

/** The last undos that were not redone, newest first. Any later change ends the redo, a note does not. */
export function chooseRedo(model: NaiveModel, take: string, count: number): Item[] {
  return model.trying(() => {
    const undos: Item[] = [];
    let at = take;
    while (undos.length < count && model.exists(at)) {
      const item = model.visible(at).find(({ role, flags }) => role !== "note" && !(flags.conversation && flags.files));
      if (item?.role !== "undo") break;
      undos.push(item);
      model.flip([flipOf(item)]);
      at = model.active;
    }
    return undos;
  });
}

/** A group that no later command builds on, or the last undo, and the flips that take it back; undefined where that changes nothing. */
export function chooseRevert(
  model: NaiveModel,
  take: string,
  pick: number,
  mayBe: (item: Item) => boolean = () => true,
): { readonly item: Item; readonly flips: readonly Flip[] } | undefined {
  const candidates = model
    .visible(take)
    .filter((item) => item.role !== "note" && !item.leaves && !(item.flags.conversation && item.flags.files))
    .filter((item) => item.role !== "undo" || item === chooseRedo(model, take, 1)[0])
    .filter(mayBe);
  const item = candidates[pick % Math.max(1, candidates.length)];
  if (!item) return undefined;
  const { conversation, files } = item.flags;
  const flips: Flip[] = [
    { flags: item.flags, scope: conversation ? "files" : files ? "conversation" : "both", undone: true },
  ];
  const changes = model.isReversible(flips) && model.flipped(flips, () => model.fingerprint()) !== model.fingerprint();
  return changes ? { item, flips } : undefined;
}

function flipOf({ flags }: Item): Flip {
  return { flags, scope: "both", undone: true };
}

/** Finds the items of the group with these flags, in all lists. */
export function groupOf(model: NaiveModel, flags: Flags): Item[] {
  return [model.thread, ...model.takes.values()].flatMap(({ items }) => items.filter((item) => item.flags === flags));
}

/**
 * The fields that some groups change and that a later command, which stays, changes too: only then can flipping the
 * groups be a conflict. Edits of a turn's own entries go with the turn, whether the groups made it or brought it back;
 * when the turn comes back, such an edit is a conflict.
 */
export function overlap(model: NaiveModel, flips: readonly Flip[]): string[] {
  return model.trying(() =>
    flips.flatMap((flip) => {
      const keys = overlapOf(model, flip);
      model.flip([flip]);
      return keys;
    }),
  );
}

function overlapOf(model: NaiveModel, flip: Flip): string[] {
  const groups = touched(model, [flip]);
  const lines = model.lines();
  const mine = lines.map(() => new Map<string, Set<string>>());
  const later = lines.map(() => new Map<string, Set<string>>());
  const present = lines.map(({ items }) => replay(items).facts);
  const look = ({ items }: Line, index: number) => {
    let begun = false;
    /** Records that these groups created or brought back. */
    const made = new Set<string>();
    replay(items, (item, before, after) => {
      begun ||= groups.has(item.flags);
      if (!begun) return;
      const differing = differences(before, after);
      for (const [key, field] of groups.has(item.flags) ? differing : [])
        if (field === "" && after.facts.has(key) && present[index]?.has(key)) made.add(key);
      for (const [key, field] of differing) {
        const record = after.facts.get(key) ?? before.facts.get(key);
        const own = made.has(key) && (key.startsWith("turn:") || made.has(`turn:${String(record?.["turn_id"])}`));
        if (groups.has(item.flags)) add(mine[index], key, own ? OWN : field);
        else add(later[index], key, field === "" && after.facts.has(key) ? MADE : field);
        // An entry that comes back needs its turn, which may be gone by now.
        if (groups.has(item.flags) && field === "" && !own && record && "turn_id" in record)
          add(mine[index], `turn:${String(record["turn_id"])}`, "");
      }
    });
  };
  // Before and after the flips: an undone command has no visible effect.
  lines.forEach(look);
  model.flipped([flip], () => lines.forEach(look));
  return mine.flatMap((fields, index) =>
    [...fields].flatMap(([key, changed]) => {
      const others = later[index]?.get(key);
      return others && clash(changed, others) ? [key] : [];
    }),
  );
}

/** All groups that these flips change, directly or by flipping a flip. */
function touched(model: NaiveModel, flips: readonly Flip[], known = new Set<Flags>()): Set<Flags> {
  for (const { flags } of flips) {
    if (known.has(flags)) continue;
    known.add(flags);
    for (const item of groupOf(model, flags)) touched(model, item.flips ?? [], known);
  }
  return known;
}

function add(fields: Map<string, Set<string>> | undefined, key: string, field: string): void {
  const known = fields?.get(key);
  if (known) known.add(field);
  else fields?.set(key, new Set([field]));
}

/**
 * Stands for all fields of an entry that a turn made. Only a command that makes the entry again can conflict with it.
 */
const OWN = "its own";
const MADE = "made";

function clash(mine: ReadonlySet<string>, later: ReadonlySet<string>): boolean {
  if (later.has(MADE) || (later.has("") && !onlyOwn(mine))) return true;
  return !onlyOwn(mine) && (mine.has("") || [...mine].some((field) => later.has(field)));
}

function onlyOwn(mine: ReadonlySet<string>): boolean {
  return mine.size === 1 && mine.has(OWN);
}

type Seen = Parameters<NonNullable<Parameters<typeof replay>[1]>>[1];

/** The records and fields that differ; for a record that was added or removed, the field is "". */
function differences(before: Seen, after: Seen): [key: string, field: string][] {
  const list: [string, string][] = [];
  for (const key of new Set([...before.facts.keys(), ...after.facts.keys()])) {
    const a = before.facts.get(key);
    const b = after.facts.get(key);
    if (a === b) continue;
    if (!a || !b) list.push([key, ""]);
    else for (const field of Object.keys({ ...a, ...b })) if (!same(a[field], b[field])) list.push([key, field]);
  }
  for (const name of Object.keys({ ...before.files, ...after.files }))
    if (before.files[name] !== after.files[name]) list.push([`file on disk ${name}`, ""]);
  return list;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function left(flags: Flags, wanted: Scope): Scope | undefined {
  const conversation = wanted !== "files" && !flags.conversation;
  const files = wanted !== "conversation" && !flags.files;
  if (conversation && files) return "both";
  return conversation ? "conversation" : files ? "files" : undefined;
}
