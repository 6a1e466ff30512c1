import {
  activeTake,
  asJson,
  type Decoded,
  decode,
  encode,
  entries,
  type Format,
  isObject,
  isSettingField,
  type Json,
  type JsonObject,
  liveTakes,
  pathsIn,
  recordOf,
  recordsOf,
  roles,
  runningTurn,
  type State,
  setting,
  spaceId,
  turn,
} from "@retake/core";

/**
 * A thread as one document: its state now or at some point, without its history (a bundle has that). JSON contains
 * all of it; `retake.toml` and Markdown are made from the same data.
 */
export interface PortableThread {
  readonly title: string;
  readonly tags: readonly string[];
  readonly takes: readonly PortableTake[];
  /**
   * Other facts of the thread. An import takes whether it is pinned, but not facts of its origin: its id, its
   * directories, its git.
   */
  readonly about: JsonObject;
}

export interface PortableTake {
  readonly name: string;
  readonly active: boolean;
  readonly roles: readonly string[];
  /** Only those that were set. */
  readonly settings: JsonObject;
  readonly lists: { readonly [list: string]: readonly JsonObject[] };
  readonly discussion: JsonObject;
  /** Without references to operations and trees: a document contains neither. */
  readonly turns: readonly JsonObject[];
  /** In order, with all their keys; with `turn_id` when the turn is in the document. */
  readonly entries: readonly JsonObject[];
}

export const LISTS = ["context", "file", "screenshot"] as const;

export function portableThread(state: State): PortableThread {
  const { title, tags, ...about } = recordOf(state, "thread") ?? {};
  const active = activeTake(state);
  return {
    title: String(title ?? ""),
    tags: Array.isArray(tags) ? tags.map(String) : [],
    takes: liveTakes(state).map(({ id, name }) => {
      const records = [...(state.spaces.get(id)?.records.entries() ?? [])];
      const settings = records.flatMap(([local]) => {
        const field = local.startsWith("setting:") ? local.slice("setting:".length) : undefined;
        return isSettingField(field) ? [[field, setting(state, id, field) as Json] as const] : [];
      });
      return {
        name,
        active: id === active,
        roles: roles(state, id),
        settings: Object.fromEntries(settings),
        lists: Object.fromEntries(LISTS.map((list) => [list, pathsIn(state, id, list)])),
        discussion: recordOf(state, spaceId(id, "discussion")) ?? {},
        turns: [...recordsOf(state, id, "turn")].map(([key, record]) => ({
          ...portableTurn(record),
          // A jump into the middle of a turn restores its record as running, but no process runs it.
          ...(record["status"] === "running" && runningTurn(state, id) !== key ? { status: "interrupted" } : {}),
        })),
        entries: [...entries(state, id)].map(({ order: _, turn_id = "", ...entry }) => ({
          ...(entry as JsonObject),
          ...(turn(state, id, turn_id) ? { turn_id } : {}),
        })),
      };
    }),
    about: { ...about, git: recordOf(state, "git") ?? null },
  };
}

function portableTurn({ group: _, version: __, tree_before: ___, tree_after: ____, ...turn }: JsonObject): JsonObject {
  return turn;
}

export function threadJsonDocument(thread: PortableThread): JsonObject {
  return encode(threadFormat, thread);
}

export function readThreadDocument(json: unknown): Decoded<PortableThread> {
  return decode(threadFormat, json);
}

const threadFormat: Format<PortableThread> = {
  name: "retake-thread",
  version: 1,
  upgrades: [],
  defaults: { title: "Imported", tags: [], takes: [], about: {} },
  check: (value) => threadProblem(value as JsonObject),
  read: (json) => {
    const takes = numbered((json["takes"] as JsonObject[]).map(wholeTake) as unknown as PortableTake[]);
    return { ...json, takes } as unknown as PortableThread;
  },
  write: (thread) => asJson(thread),
};

/** The importing operation checks each entry; here it is only checked that there are entries. */
function threadProblem({ title, tags, takes }: JsonObject): string | undefined {
  if (typeof title !== "string") return ".title is not a text";
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === "string")) return ".tags is not a list of texts";
  if (!Array.isArray(takes) || takes.length === 0) return ".takes is not a list with a take in it";
  for (const [index, take] of takes.entries()) {
    const problem = isObject(take) ? takeProblem(wholeTake(take as JsonObject)) : "is not an object";
    if (problem) return `.takes[${index}] ${problem}`;
  }
  return numberProblem((takes as JsonObject[]).flatMap((take) => wholeTake(take)["turns"] as JsonObject[]));
}

/** A turn that is in several takes has one number, and no other turn has that number. */
function numberProblem(turns: readonly JsonObject[]): string | undefined {
  const [numbers, ids] = [new Map<unknown, unknown>(), new Map<unknown, unknown>()];
  for (const { id, number } of turns) {
    if (number === undefined) continue;
    if ((numbers.get(id) ?? number) !== number) return ".takes have a turn with two numbers";
    if ((ids.get(number) ?? id) !== id) return ".takes have two turns with one number";
    numbers.set(id, number);
    ids.set(number, id);
  }
  return undefined;
}

function takeProblem({ name, roles, settings, lists, discussion, turns, entries }: JsonObject): string | undefined {
  if (typeof name !== "string" || name === "") return "has no name";
  if (!Array.isArray(roles) || !roles.every((role) => typeof role === "string")) return "has roles that are no texts";
  if (!isObject(settings)) return "has settings that are no object";
  if (!isObject(lists) || !Object.values(lists).every(isObjects)) return "has lists that are none";
  if (!isObject(discussion)) return "has a discussion that is no object";
  if (!isObjects(turns)) return "has turns that are no objects";
  const ids = (turns as JsonObject[]).map(({ id }) => id);
  if (new Set(ids).size < ids.length) return "has a turn twice";
  return isObjects(entries) ? undefined : "has entries that are no objects";
}

/** Gives unused numbers to turns of documents that are older than numbers. A turn may be in several takes. */
function numbered(takes: readonly PortableTake[]): PortableTake[] {
  const turns = takes.flatMap((take) => take.turns);
  const numbers = new Map(turns.flatMap(({ id, number }) => (number === undefined ? [] : [[id, number] as const])));
  let last = [...numbers.values()].reduce<number>((most, number) => Math.max(most, Number(number) || 0), 0);
  const numberOf = ({ id }: JsonObject) => {
    if (!numbers.has(id)) numbers.set(id, ++last);
    return numbers.get(id) as number;
  };
  return takes.map((take) => ({
    ...take,
    turns: take.turns.map((turn) => ({ ...portableTurn(turn), number: numberOf(turn) })),
  }));
}

function isObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject);
}

function wholeTake(take: JsonObject): JsonObject {
  return { active: false, roles: [], settings: {}, lists: {}, discussion: {}, turns: [], entries: [], ...take };
}
