import { type Flags, type Flip, type Item, type Line, type NaiveModel, replay, type Scope } from "./naive-model.ts";

/** Undo and redo in the naive model: which commands they flip. Nothing here changes the model for good. */

export interface Choice {
  readonly flips: readonly Flip[];
  /** With those that were passed over, because they change nothing: something since may stand against them. */
  readonly tried: readonly Flip[];
  /** The turns among them, newest first, with the take that each was taken back in. */
  readonly turns: readonly { readonly item: Item; readonly take: string }[];
  /** How many of them change anything; when none does, there is nothing to undo. */
  readonly effective: number;
  readonly missing: number;
}

export interface UndoWish {
  readonly count: number;
  readonly steps: boolean;
  readonly scope: Scope;
}

/** The last groups that are not undone and whose undoing changes anything, and those passed over on the way. */
export function chooseUndo(model: NaiveModel, take: string, wish: UndoWish): Choice {
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
    model.flip([flip], "do");
    // What has no effect left is passed over.
    if (item.role !== "turn" && model.fingerprint() === before) {
      model.flip([flip], "undo");
      continue;
    }
    effective += 1;
    flips.push(flip);
    const prompt = groupOf(model, item.flags).find((each) => each.prompt);
    if (prompt && scope !== "files") turns.push({ item: prompt, take: at });
    // In another take what can be taken back is looked for from its end.
    if (model.active !== at) passed = new Set();
    at = model.active;
  }
  model.flip(flips, "undo");
  return { flips, tried, turns, effective, missing: wish.count - effective };
}

/** The last undos that were not redone, newest first; a change since has ended it, a note has not. */
export function chooseRedo(model: NaiveModel, take: string, count: number): Item[] {
  const undos: Item[] = [];
  let at = take;
  while (undos.length < count && model.exists(at)) {
    const item = model.visible(at).find(({ role, flags }) => role !== "note" && !(flags.conversation && flags.files));
    if (item?.role !== "undo") break;
    undos.push(item);
    model.flip([flipOf(item)], "do");
    at = model.active;
  }
  model.flip(undos.map(flipOf), "undo");
  return undos;
}

function flipOf({ flags }: Item): Flip {
  return { flags, scope: "both", undone: true };
}

/** Flags of the groups whose items stand together in any list. */
export function groupOf(model: NaiveModel, flags: Flags): Item[] {
  return [model.thread, ...model.takes.values()].flatMap(({ items }) => items.filter((item) => item.flags === flags));
}

/**
 * The fields that some groups change and a later command, which is to stay, changes too. Only then may
 * flipping the groups be a conflict. What was edited in a turn's own entries goes with the turn, whether the
 * groups made it or brought it back; where the turn comes back, such an edit is in the way.
 */
export function overlap(model: NaiveModel, flips: readonly Flip[]): string[] {
  const found = flips.flatMap((flip) => {
    const keys = overlapOf(model, flip);
    model.flip([flip], "do");
    return keys;
  });
  model.flip(flips, "undo");
  return found;
}

function overlapOf(model: NaiveModel, flip: Flip): string[] {
  const groups = touched(model, [flip]);
  const lines = model.lines();
  const mine = lines.map(() => new Map<string, Set<string>>());
  const later = lines.map(() => new Map<string, Set<string>>());
  const present = lines.map(({ items }) => replay(items).facts);
  const look = ({ items }: Line, index: number) => {
    let begun = false;
    /** What these groups made or brought back, and what goes with them. */
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
        // An entry that comes back needs its turn, which may have gone since.
        if (groups.has(item.flags) && field === "" && !own && record && "turn_id" in record)
          add(mine[index], `turn:${String(record["turn_id"])}`, "");
      }
    });
  };
  // As it is and as it will be: what is undone changes nothing that could be seen.
  lines.forEach(look);
  model.flip([flip], "do");
  lines.forEach(look);
  model.flip([flip], "undo");
  return mine.flatMap((fields, index) =>
    [...fields].flatMap(([key, changed]) => {
      const others = later[index]?.get(key);
      return others && clash(changed, others) ? [key] : [];
    }),
  );
}

/** All groups that these flips change, directly or because they flip a flip. */
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

/** Stands for all fields of an entry that a turn made. Only what makes it anew can be in the way. */
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

/** Records and fields that differ; a record that came or went has the field "". */
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
