/**
 * The files of a walk, as the naive model has them: by name, each with its content. Some files are lists: each of
 * their places is a file of its own to the model (`list-a.txt#3`), and the places are so far apart that changes of two
 * of them always merge. So what a three-way merge must give is known without merging.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { changesBetween, type Files } from "../../packages/core/src/testing/naive-model.ts";

export const LISTS = ["list-a.txt", "list-b.txt"];
export const PLACES = 6;
const LINES_APART = 5;

/** The line of a list, counted from 1, that a place is. */
export function lineOf(place: number): number {
  return place * (LINES_APART + 1) + 1;
}

export function firstFiles(): Files {
  const places = LISTS.flatMap((list) => Array.from({ length: PLACES }, (_, place) => [`${list}#${place}`, "-"]));
  return Object.fromEntries([...places, ["folder/kept.txt", "kept\n"]]) as Files;
}

/** Each path with its bytes. */
export function onDisk(files: Files): Files {
  const disk: Record<string, string> = {};
  for (const [name, content] of Object.entries(files)) {
    const [path = "", place] = name.split("#");
    if (place === undefined) disk[path] = content;
    else if (!(path in disk)) disk[path] = listText(files, path);
  }
  return disk;
}

export function readFiles(root: string): Files {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name).slice(root.length + 1);
    files[path] = readFileSync(join(root, path), "utf8");
  }
  return files;
}

/** Edits files as a user does. */
export function putFiles(root: string, before: Files, after: Files): void {
  const [from, to] = [onDisk(before), onDisk(after)];
  for (const [path, content] of Object.entries(changesBetween(from, to))) {
    if (content === null) rmSync(join(root, path));
    else {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
  }
}

export function changedPaths(before: Files, after: Files): string[] {
  return Object.keys(changesBetween(onDisk(before), onDisk(after)));
}

/** Files with some paths as others have them. */
export function withPaths(files: Files, others: Files, paths: readonly string[]): Files {
  const isNamed = ([name]: [string, string]) => paths.includes(name.split("#")[0] as string);
  return Object.fromEntries([
    ...Object.entries(files).filter((entry) => !isNamed(entry)),
    ...Object.entries(others).filter(isNamed),
  ]);
}

function listText(files: Files, list: string): string {
  const lines = Array.from({ length: PLACES }, (_, place) => [
    `${files[`${list}#${place}`]}`,
    ...Array.from({ length: LINES_APART }, (__, line) => `${list} ${place} ${line}`),
  ]);
  return `${lines.flat().join("\n")}\n`;
}
