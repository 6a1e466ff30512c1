/**
 * Makes a thread from a document: the first take, the other takes branched off its empty beginning, and in each the
 * entries, settings and lists of the document. All of it in one transaction.
 *
 * Rules about which tools may run, and files outside the workspace, are left out.
 */
import {
  type Built,
  branchFrom,
  type Context,
  changeSettings,
  createThread,
  type EntryInput,
  type History,
  importEntries,
  isRefusal,
  isSettingField,
  type JsonObject,
  type PathMember,
  type Refusal,
  type State,
  switchTake,
  type TakeId,
  type ThreadFacts,
} from "@retake/core";
import { freeTitle } from "../store/free-title.ts";
import { RefusedError } from "../undo/thread-files.ts";
import type { ImportPlace, Workspace } from "../workspace/open-workspace.ts";
import { type LeftOut, outsideFilesOf, splitOutside } from "./left-out.ts";
import { LISTS, type PortableTake, type PortableThread } from "./portable-thread.ts";

export async function importThreads(
  workspace: Workspace,
  documents: readonly PortableThread[],
): Promise<{ threads: string[]; left_out: readonly LeftOut[] } | Refusal> {
  const place = workspace.importPlace({ private: documents.some(({ about }) => about["private"] === true) });
  const { files } = place;
  const tree = (await files.capture()).id;
  const outside = outsideFilesOf(workspace);
  const left_out: LeftOut[] = [];
  const safe = documents.map((document) => ({
    ...document,
    takes: document.takes.map((take) => {
      const { rules, settings } = withoutRules(take.settings);
      const lists = LISTS.map((list) => [list, splitOutside(outside, list, take.lists[list] ?? [])] as const);
      left_out.push(...rules, ...lists.flatMap(([, { leftOut }]) => leftOut));
      return { ...take, settings, lists: Object.fromEntries(lists.map(([list, { inside }]) => [list, inside])) };
    }),
  }));
  try {
    const threads = files.database.transaction(() =>
      safe.map((document) => importThread(place, document, freeTitle(workspace, document.title), tree)),
    );
    return { threads, left_out };
  } catch (error) {
    if (error instanceof RefusedError) return error.refusal;
    throw error;
  }
}

function withoutRules({ approval_rules: rules, ...settings }: JsonObject) {
  return { settings, rules: Array.isArray(rules) ? rules.map(() => ({ what: "rule" as const })) : [] };
}

function importThread(place: ImportPlace, document: PortableThread, title: string, tree: string): string {
  const { identity, origin } = place;
  const thread = `T-${identity.id()}`;
  place.threads.place(thread, origin.workspace_root);
  const change = (take: TakeId | undefined, build: (state: State, context: Context, history: History) => Built) => {
    const context = { ...identity.context({ kind: "user" }), ...(take === undefined ? {} : { take }) };
    const done = place.threads.change(thread, (history) => build(history.state, context, history));
    if (isRefusal(done) && done.code !== "nothing-to-do") throw new RefusedError(done);
    return done;
  };
  const takes = document.takes.map((each) => ({ id: identity.id(), document: each }));
  const [first, ...others] = takes;
  if (!first) throw new Error("a document has a take");
  const { pinned } = document.about as Partial<ThreadFacts>;
  const facts = { tags: document.tags, ...(pinned === undefined ? {} : { pinned }) };
  const born = change(undefined, (_, context) =>
    createThread(context, {
      origin: { ...origin, id: thread },
      title,
      facts,
      take: first.id,
      name: first.document.name,
      tree,
      device: place.threads.device,
    }),
  );
  if (isRefusal(born)) throw new RefusedError(born);
  for (const { id, document } of others)
    change(first.id, (state, context, history) =>
      branchFrom(state, context, { from: first.id, take: id, name: document.name, past: history.stateAt(born.id) }),
    );
  for (const { id, document } of takes) fillTake(document, id, change);
  const active = takes.find(({ document }) => document.active) ?? first;
  change(undefined, (state, context) => switchTake(state, context, { take: active.id }));
  return thread;
}

type Change = (take: TakeId, build: (state: State, context: Context) => Built) => unknown;

function fillTake(document: PortableTake, take: TakeId, change: Change): void {
  for (const part of partsOf(document)) change(take, (state, context) => importEntries(state, context, part));
  const settings = Object.fromEntries(Object.entries(document.settings).filter(([field]) => isSettingField(field)));
  const lists = Object.fromEntries(LISTS.map((list) => [list, (document.lists[list] ?? []) as PathMember[]]));
  const roles = document.roles.length === 0 ? {} : { roles: document.roles };
  change(take, (state, context) => changeSettings(state, context, { settings, lists, ...roles }));
}

interface Part {
  readonly entries: EntryInput[];
  readonly turn?: JsonObject;
  readonly discussion?: JsonObject;
}

/**
 * The conversation, cut where the turn changes. The turns without entries come first. The last part contains everything
 * else.
 */
function partsOf({ entries, turns, discussion }: PortableTake): Part[] {
  const known = new Map(turns.map((turn) => [turn["id"], turn]));
  const own = entries.map((entry) => known.get(entry["turn_id"]));
  const named = new Set(own);
  const parts: Part[] = turns.filter((turn) => !named.has(turn)).map((turn) => ({ entries: [], turn }));
  let last: JsonObject | undefined;
  for (const [index, entry] of withIds(entries).entries()) {
    const turn = own[index];
    if (index === 0 || turn !== last) parts.push({ entries: [], ...(turn ? { turn } : {}) });
    parts.at(-1)?.entries.push(entry);
    last = turn;
  }
  if (Object.keys(discussion).length === 0) return parts;
  return [...parts.slice(0, -1), { ...(parts.at(-1) ?? { entries: [] }), discussion }];
}

function withIds(entries: readonly JsonObject[]): EntryInput[] {
  const ids = new Set<string>();
  return entries.map((entry, index) => {
    const { id } = entry;
    const given = typeof id === "string" && !ids.has(id) ? id : `imported-${index + 1}`;
    ids.add(given);
    return { ...entry, id: given };
  });
}
