import {
  activeTake,
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
  roles,
  type State,
  setting,
  spaceId,
} from "@retake/core";

/**
 * A discussion as one document: what it is now, or was at some point, and not how it came to be (that is a
 * bundle). JSON holds all of it; `retake.toml` and Markdown are made of the same.
 */
export interface PortableThread {
  readonly title: string;
  readonly tags: readonly string[];
  readonly takes: readonly PortableTake[];
  /** What else the thread knows of itself, git among it: told, and not taken over by an import. */
  readonly about: JsonObject;
}

export interface PortableTake {
  readonly name: string;
  readonly active: boolean;
  readonly roles: readonly string[];
  /** Those that were set. */
  readonly settings: JsonObject;
  readonly lists: { readonly [list: string]: readonly JsonObject[] };
  readonly discussion: JsonObject;
  readonly turns: readonly JsonObject[];
  /** In order, with all their keys. */
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
        turns: records.flatMap(([local, record]) => (local.startsWith("turn:") ? [record] : [])),
        entries: [...entries(state, id)].map(({ order: _, ...entry }) => entry as unknown as JsonObject),
      };
    }),
    about: { ...about, git: recordOf(state, "git") ?? null },
  };
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
  read: (json) => ({ ...json, takes: (json["takes"] as JsonObject[]).map(wholeTake) }) as unknown as PortableThread,
  write: (thread) => thread as unknown as JsonObject,
};

/** What an entry may be is for the operation that takes it in; here only that there are some. */
function threadProblem({ title, tags, takes }: JsonObject): string | undefined {
  if (typeof title !== "string") return ".title is not a text";
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === "string")) return ".tags is not a list of texts";
  if (!Array.isArray(takes) || takes.length === 0) return ".takes is not a list with a take in it";
  for (const [index, take] of takes.entries()) {
    const problem = isObject(take) ? takeProblem(wholeTake(take as JsonObject)) : "is not an object";
    if (problem) return `.takes[${index}] ${problem}`;
  }
  return undefined;
}

function takeProblem({ name, roles, settings, lists, entries }: JsonObject): string | undefined {
  if (typeof name !== "string" || name === "") return "has no name";
  if (!Array.isArray(roles) || !roles.every((role) => typeof role === "string")) return "has roles that are no texts";
  if (!isObject(settings)) return "has settings that are no object";
  if (!isObject(lists) || !Object.values(lists).every(isObjects)) return "has lists that are none";
  return isObjects(entries) ? undefined : "has entries that are no objects";
}

function isObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject);
}

function wholeTake(take: JsonObject): JsonObject {
  return { active: false, roles: [], settings: {}, lists: {}, discussion: {}, turns: [], entries: [], ...take };
}
