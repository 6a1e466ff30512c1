/**
 * A thread made of a document: the first take, the other takes branched off its empty beginning, and in each the
 * entries, settings and lists of the document. All of it is one transaction, or none.
 *
 * Rules about which tools may run are not taken over: who sends a file does not decide that.
 */
import {
  addPath,
  addRole,
  type Built,
  baseName,
  branchFrom,
  type Context,
  changeSettings,
  createThread,
  type EntryInput,
  type History,
  isSettingField,
  type PathMember,
  type Refusal,
  refuse,
  removeRole,
  renameTake,
  replaceEntries,
  roles,
  type State,
  switchTake,
  type TakeId,
} from "@retake/core";
import type { ImportPlace, Retake } from "../open-retake.ts";
import { freeTitle } from "../threads/free-title.ts";
import { RefusedError } from "../undo/thread-files.ts";
import { LISTS, type PortableTake, type PortableThread } from "./portable-thread.ts";

export async function importThreads(
  retake: Retake,
  documents: readonly PortableThread[],
): Promise<{ threads: string[] } | Refusal> {
  const place = retake.importPlace({ private: documents.some(({ about }) => about["private"] === true) });
  const { workspace } = place;
  const tree = (await workspace.capture()).id;
  try {
    const threads = workspace.database.transaction(() =>
      documents.map((document) => importThread(place, document, freeTitle(retake, document.title), tree)),
    );
    return { threads };
  } catch (error) {
    if (error instanceof RefusedError) return error.refusal;
    throw error;
  }
}

function importThread(place: ImportPlace, document: PortableThread, title: string, tree: string): string {
  const { identity, origin } = place;
  const thread = `T-${identity.id()}`;
  const [first, ...others] = document.takes;
  if (!first) throw new Error("a document has a take");
  place.threads.place(thread, origin.workspace_root);
  const change = (take: TakeId | undefined, build: (state: State, context: Context, history: History) => Built) => {
    const context = { ...identity.context({ kind: "user" }), ...(take === undefined ? {} : { take }) };
    const done = place.threads.change(thread, (history) => build(history.state, context, history));
    if ("code" in done && done.code !== "nothing-to-do") throw new RefusedError(done);
    return done;
  };
  const take = identity.id();
  const facts = { title, tags: document.tags };
  const born = change(undefined, (_, context) =>
    createThread(context, {
      ...{ origin: { ...origin, id: thread }, facts, take, name: baseName(first.name), tree },
      device: place.threads.device,
    }),
  );
  if ("code" in born) throw new RefusedError(born);
  const ids = [take, ...others.map(() => identity.id())];
  for (const id of ids.slice(1))
    change(take, (state, context, history) =>
      branchFrom(state, context, { from: take, take: id, past: history.stateAt(born.id) }),
    );
  for (const [index, each] of document.takes.entries()) fillTake(each, ids[index] ?? take, change);
  const active =
    ids[
      Math.max(
        0,
        document.takes.findIndex((each) => each.active),
      )
    ] ?? take;
  change(undefined, (state, context) => switchTake(state, context, { take: active }));
  return thread;
}

type Change = (take: TakeId, build: (state: State, context: Context) => Built) => unknown;

function fillTake(document: PortableTake, take: TakeId, change: Change): void {
  const ids = new Set<string>();
  const named = document.entries.map((entry, index): EntryInput => {
    const given = typeof entry["id"] === "string" && !ids.has(entry["id"]) ? entry["id"] : `imported-${index + 1}`;
    ids.add(given);
    return { ...entry, id: given };
  });
  const settings = Object.fromEntries(
    Object.entries(document.settings).filter(([field]) => isSettingField(field) && field !== "approval_rules"),
  );
  if (named.length > 0) change(take, (state, context) => replaceEntries(state, context, { entries: named }));
  if (Object.keys(settings).length > 0) change(take, (state, context) => changeSettings(state, context, { settings }));
  fillRoles(document, take, change);
  for (const list of LISTS)
    for (const member of document.lists[list] ?? [])
      change(take, (state, context) => addPath(state, context, { list, member: member as PathMember }));
  change(take, (state, context) => renameTake(state, context, { take, name: document.name }));
}

function fillRoles({ roles: wanted }: PortableTake, take: TakeId, change: Change): void {
  if (wanted.length === 0) return;
  let before: readonly string[] = [];
  for (const role of wanted)
    change(take, (state, context) => {
      if (before.length === 0) before = roles(state, take);
      return roles(state, take).includes(role) ? THERE : addRole(state, context, { role });
    });
  for (const role of before.filter((each) => !wanted.includes(each)))
    change(take, (state, context) => removeRole(state, context, { role }));
}

const THERE: Refusal = refuse("nothing-to-do", "It is there already.");
