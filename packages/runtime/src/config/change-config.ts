/**
 * Changes one value of `config.toml` and leaves everything else as its owner wrote it, including comments.
 *
 * The text is changed line by line, by simple rules that do not cover all of TOML. So the result is parsed before it is
 * written: it must equal the old content, except for that one value. Otherwise (an inline table, a text over several
 * lines) nothing is written and the user is asked to edit the file by hand.
 */
import { equal, isObject, type Json, type JsonObject } from "@retake/core";
import { stringify } from "smol-toml";
import { configFile, parseConfig, readConfigText } from "./load-config.ts";
import { writeOwnFile } from "./write-own-file.ts";

export type ConfigChange = { readonly kind: "changed" | "unchanged" } | ConfigRefusal;

export interface ConfigRefusal {
  readonly kind: "refused";
  readonly code: "by-hand";
  readonly message: string;
}

/** Sets a value; undefined removes it. */
export function changeConfig(directory: string, path: readonly string[], value: Json | undefined): ConfigChange {
  const file = configFile(directory);
  const text = readConfigText(file);
  const before = parseConfig(file, text);
  const wanted = withValue(before, path, value);
  if (equal(before, wanted)) return { kind: "unchanged" };
  const edited = value === undefined ? withoutLine(text, path) : withLine(text, path, value);
  if (!saysTheSame(file, edited, wanted)) {
    const message = `${file} says ${path.join(".")} in a way that is left to you: change it by hand. Nothing was changed.`;
    return { kind: "refused", code: "by-hand", message };
  }
  writeOwnFile(file, edited);
  return { kind: "changed" };
}

function withValue(table: JsonObject, [name = "", ...rest]: readonly string[], value: Json | undefined): JsonObject {
  const { [name]: before, ...others } = table;
  const inner = rest.length === 0 ? value : withValue(isObject(before) ? (before as JsonObject) : {}, rest, value);
  const empty = inner === undefined || (value === undefined && isObject(inner) && Object.keys(inner).length === 0);
  return empty ? others : { ...table, [name]: inner };
}

/** Empty tables that remain after a removal have no meaning. */
function saysTheSame(file: string, text: string, wanted: JsonObject): boolean {
  try {
    return equal(withoutEmpty(parseConfig(file, text)), withoutEmpty(wanted));
  } catch {
    return false;
  }
}

function withoutEmpty(value: Json): Json {
  if (!isObject(value)) return value;
  const entries = Object.entries(value as JsonObject).map(([name, each]) => [name, withoutEmpty(each)] as const);
  return Object.fromEntries(entries.filter(([, each]) => !isObject(each) || Object.keys(each as object).length > 0));
}

function withLine(text: string, path: readonly string[], value: Json): string {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const key = path.at(-1) ?? "";
  const line = stringify({ [key]: value }).trimEnd();
  const table = path.slice(0, -1);
  const at = findTable(lines, table);
  if (!at) return `${[...lines, ...(lines.length > 0 ? [""] : []), header(table), line].join("\n")}\n`;
  const known = findKey(lines, at, key);
  if (known >= 0) lines[known] = `${line}${commentOf(lines[known] ?? "")}`;
  else lines.splice(at.end, 0, line, ...(at.end < lines.length && lines[at.end]?.trim() !== "" ? [""] : []));
  return `${lines.join("\n")}\n`;
}

function withoutLine(text: string, path: readonly string[]): string {
  const lines = text.split("\n");
  const at = findTable(lines, path.slice(0, -1));
  const known = at ? findKey(lines, at, path.at(-1) ?? "") : -1;
  if (known >= 0) lines.splice(known, 1);
  return lines.join("\n");
}

interface TableLines {
  readonly start: number;
  /** The line after its last line with content. */
  readonly end: number;
}

function findTable(lines: readonly string[], path: readonly string[]): TableLines | undefined {
  const isHeader = (line: string) => /^\s*\[/.test(line);
  const start = path.length === 0 ? 0 : lines.findIndex((line) => isHeader(line) && sameHeader(line, path)) + 1;
  if (path.length > 0 && start === 0) return undefined;
  const next = lines.findIndex((line, index) => index >= start && isHeader(line));
  let end = next < 0 ? lines.length : next;
  while (end > start && lines[end - 1]?.trim() === "") end -= 1;
  return { start, end };
}

function findKey(lines: readonly string[], { start, end }: TableLines, key: string): number {
  const quoted = [key, JSON.stringify(key), `'${key}'`];
  return lines.findIndex(
    (line, index) => index >= start && index < end && quoted.includes(/^\s*([^=\s#]+)\s*=/.exec(line)?.[1] ?? ""),
  );
}

function sameHeader(line: string, path: readonly string[]): boolean {
  try {
    return equal(
      parseConfig("", `${line}\n`) as Json,
      path.reduceRight<Json>((inner, name) => ({ [name]: inner }), {}),
    );
  } catch {
    return false;
  }
}

function header(path: readonly string[]): string {
  return `[${path.map((name) => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name))).join(".")}]`;
}

/** A comment after a value stays. A `#` inside the value would make the check fail, and nothing is written. */
function commentOf(line: string): string {
  return /\s+#[^"']*$/.exec(line)?.[0] ?? "";
}
