/**
 * D7: `retake.toml`, a thread for people to read and edit: roles, prompts, takes with their entries.
 *
 *     [discussion]
 *     roles = ["User", "AI"]
 *     active = "login"
 *     [discussion.discussions.login.settings]
 *     [[discussion.discussions.login.history]]
 *     role = "User"
 *     content = "Add a login page"
 *
 * Takes are discussions whose name ends in `_take_<n>`. Files of older programs have the same tables, and
 * their `history` is a list of texts: `Role: content`, before it perhaps a line `@time`.
 */
import { baseName, DEFAULT_ROLES, equal, isObject, type Json, type JsonObject, MAIN, USER } from "@retake/core";
import { parse, stringify, TomlError } from "smol-toml";
import type { PortableTake, PortableThread } from "./portable-thread.ts";
import { tomlText } from "./toml-text.ts";

export const PROJECT_FORMAT = "retake-project";
const VERSION = 1;

export type ReadProject =
  | { readonly kind: "threads"; readonly threads: readonly PortableThread[] }
  | { readonly kind: "unreadable"; readonly code: "newer-version" | "malformed"; readonly message: string };

export function projectToml(thread: PortableThread): string {
  const active = thread.takes.find((take) => take.active) ?? thread.takes[0];
  const lines = [
    `format = "${PROJECT_FORMAT}"`,
    `format_version = ${VERSION}`,
    "",
    "[discussion]",
    `title = ${tomlText(thread.title)}`,
    stringify({ tags: [...thread.tags], roles: [...(active?.roles ?? [])] }).trimEnd(),
    `active = ${tomlText(active?.name ?? "")}`,
    ...thread.takes.flatMap((take) => takeLines(take, thread, active?.roles ?? [])),
  ];
  return `${lines.join("\n")}\n`;
}

function takeLines(take: PortableTake, { about }: PortableThread, roles: readonly string[]): string[] {
  const table = `discussion.discussions.${tomlText(take.name)}`;
  const git = about["git"] as { readonly now?: JsonObject | null } | null | undefined;
  const { git_commit = git?.now?.["commit"], last_updated, context_snapshot } = take.discussion;
  const known = writable({ git_commit, last_updated, context_snapshot } as JsonObject);
  const own = equal([...take.roles], [...roles]) ? {} : { roles: [...take.roles] };
  return [
    "",
    `[${table}]`,
    ...nonEmpty(stringify({ ...known, ...own })),
    "",
    `[${table}.settings]`,
    ...Object.entries(take.settings).map(([name, value]) => fieldLine(name, value)),
    ...Object.entries(take.lists).flatMap(([list, members]) =>
      members.flatMap((member) => ["", `[[${table}.lists.${list}]]`, ...nonEmpty(stringify(writable(member)))]),
    ),
    ...take.entries.flatMap((entry) => ["", `[[${table}.history]]`, ...entryLines(entry)]),
  ];
}

/** Readable texts first; values that TOML cannot express are written as JSON in one text. */
function entryLines(entry: JsonObject): string[] {
  const { role, ts, content, ...rest } = entry;
  const fields = writable(rest);
  const more = Object.fromEntries(Object.entries(rest).filter(([name]) => !Object.hasOwn(fields, name)));
  return [
    fieldLine("role", role ?? ""),
    fieldLine("ts", ts ?? ""),
    fieldLine("content", content ?? ""),
    ...Object.entries(fields).map(([name, value]) => fieldLine(name, value)),
    ...(Object.keys(more).length > 0 ? [fieldLine("more_json", JSON.stringify(more))] : []),
  ];
}

function fieldLine(name: string, value: Json): string {
  const key = /^[\w-]+$/.test(name) ? name : tomlText(name);
  if (typeof value === "string") return `${key} = ${tomlText(value)}`;
  // Inline, so that no separate table begins in the middle of an entry.
  return `${key} = ${inline(value)}`;
}

function inline(value: Json): string {
  if (typeof value === "string")
    return tomlText(value)
      .replaceAll("\n", "\\n")
      .replace(/^"""\\n|"""$/g, '"');
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (!isObject(value)) return String(value);
  const fields = Object.entries(value as JsonObject).map(([name, each]) => `${quotedKey(name)} = ${inline(each)}`);
  return `{ ${fields.join(", ")} }`;
}

function quotedKey(name: string): string {
  return /^[\w-]+$/.test(name) ? name : `"${name.replace(/["\\]/g, "\\$&")}"`;
}

/** The fields that TOML reads back unchanged: without nulls, and without numbers that it cannot represent. */
function writable(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => {
      if (value === undefined || value === null) return false;
      try {
        return equal(parse(`${fieldLine(name, value)}\n`) as Json, { [name]: value });
      } catch {
        return false;
      }
    }),
  );
}

function nonEmpty(text: string): string[] {
  return text.trimEnd() === "" ? [] : text.trimEnd().split("\n");
}

export function readProjectToml(text: string): ReadProject {
  let said: JsonObject;
  try {
    // Via JSON, in which a date is a text.
    said = JSON.parse(JSON.stringify(parse(text)));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [why = ""] = error.message.replace("Invalid TOML document: ", "").split("\n");
    return malformed(`line ${error.line} is no TOML (${why})`);
  }
  const { format = PROJECT_FORMAT, format_version: version = 1 } = said;
  if (format !== PROJECT_FORMAT || typeof version !== "number") return malformed("it is another kind of file");
  if (version > VERSION)
    return {
      kind: "unreadable",
      code: "newer-version",
      message: `This project file was written by a newer Retake (version ${version}; this one reads up to ${VERSION}). Nothing was changed: update Retake to read it.`,
    };
  const discussion = isObject(said["discussion"]) ? (said["discussion"] as JsonObject) : {};
  const discussions = isObject(discussion["discussions"]) ? (discussion["discussions"] as JsonObject) : {};
  const named = Object.entries(discussions).filter(([, value]) => isObject(value)) as [string, JsonObject][];
  if (named.length === 0) return malformed("it has no discussions");
  // A file with a title is one thread, whatever the names of its takes; others have one thread for each base name.
  const title = typeof discussion["title"] === "string" ? discussion["title"] : undefined;
  const threads = new Map<string, PortableTake[]>();
  for (const [name, value] of named) {
    const take = readTake(name, value, discussion);
    if (typeof take === "string") return malformed(`the discussion ${name} ${take}`);
    const thread = title ?? baseName(name);
    // In older programs the first take has the name of the discussion.
    const called = title === undefined ? { ...take, name: `${MAIN}${name.slice(thread.length)}` } : take;
    threads.set(thread, [...(threads.get(thread) ?? []), called]);
  }
  const tags = Array.isArray(discussion["tags"]) ? discussion["tags"].map(String) : [];
  return {
    kind: "threads",
    threads: [...threads].map(([name, takes]) => ({ title: name, tags, takes, about: {} })),
  };
}

function readTake(name: string, value: JsonObject, discussion: JsonObject): PortableTake | string {
  const { history = [], settings = {}, lists = {}, roles: own, ...facts } = value;
  const shared = own ?? discussion["roles"] ?? discussion["disc_roles"] ?? [];
  const roles = Array.isArray(shared) ? [...new Set(shared.map((role) => String(role).trim()))] : [];
  if (!Array.isArray(history)) return "has a history that is no list";
  const entries: JsonObject[] = [];
  for (const each of history) {
    const entry =
      typeof each === "string" ? legacyEntry(each, roles) : isObject(each) ? readEntry(each as JsonObject) : undefined;
    if (!entry) return "has an entry that is neither a text nor a table";
    entries.push(entry);
  }
  return {
    name,
    active: discussion["active"] === name,
    roles,
    settings: isObject(settings) ? (settings as JsonObject) : {},
    lists: (isObject(lists) ? lists : {}) as PortableTake["lists"],
    discussion: facts as JsonObject,
    turns: [],
    entries,
  };
}

function readEntry({ more_json: more, ...entry }: JsonObject): JsonObject | undefined {
  if (more === undefined) return entry;
  try {
    const rest: unknown = JSON.parse(String(more));
    return isObject(rest) ? { ...(rest as JsonObject), ...entry } : undefined;
  } catch {
    return undefined;
  }
}

/** `Role: content` with a known role; any other text is the user's. */
function legacyEntry(text: string, roles: readonly string[]): JsonObject {
  const [, ts, rest = text] = /^@(\S+)\s([\s\S]*)$/.exec(text) ?? [];
  const known = [...new Set([...roles, ...DEFAULT_ROLES])].sort((a, b) => b.length - a.length);
  const role = known.find((each) => rest.startsWith(`${each}:`));
  const content = role === undefined ? rest : rest.slice(role.length + 1).replace(/^[ \t]*\n|^ /, "");
  return { role: role ?? USER, content, ...(ts !== undefined && !Number.isNaN(Date.parse(ts)) ? { ts } : {}) };
}

function malformed(why: string): ReadProject {
  return { kind: "unreadable", code: "malformed", message: `This is not a project file: ${why}. Nothing was changed.` };
}
