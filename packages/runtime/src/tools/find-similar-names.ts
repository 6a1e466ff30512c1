import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { Located } from "./locate-path.ts";

/** Says that a path does not exist, and names existing ones that may have been meant. */
export function explainMissing(located: Located, root: string): string {
  let directory = dirname(located.absolute);
  let missing = basename(located.absolute);
  while (!isDirectory(directory) && directory !== "/") {
    missing = basename(directory);
    directory = dirname(directory);
  }
  const similar = findSimilarNames(missing, namesIn(directory)).map((name) =>
    show(join(directory, name), located, root),
  );
  const hint = similar.length === 0 ? "Use glob to look for it." : `Did you mean ${similar.join(" or ")}?`;
  return `There is no ${located.given}. ${hint}`;
}

/** The names most like `wanted`, the nearest first. */
function findSimilarNames(wanted: string, names: readonly string[]): string[] {
  const scored = names.slice(0, MOST_NAMES).map((name) => ({ name, distance: unlikeness(wanted, name) }));
  const near = scored.filter(({ distance }) => distance <= Math.max(1, Math.floor(wanted.length / 3)));
  near.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return near.slice(0, 3).map(({ name }) => name);
}

const MOST_NAMES = 5000;
const LONGEST_NAME = 100;

/** Another case costs nothing, another ending little: these are the usual mistakes. */
function unlikeness(a: string, b: string): number {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  if (left === right) return 0;
  if (stem(left) === stem(right) && stem(left) !== "") return 0.5;
  if (Math.max(left.length, right.length) > LONGEST_NAME) return Number.POSITIVE_INFINITY;
  return editDistance(left, right);
}

function stem(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(0, dot) : name;
}

/** Letters to add, leave out, replace or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swaps = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = swaps ? (beforeLast[column - 2] ?? row) + 1 : replaced;
      current.push(Math.min(replaced, swapped, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    [beforeLast, last] = [last, current];
  }
  return last[b.length] ?? 0;
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function show(path: string, located: Located, root: string): string {
  return located.place === "outside" ? path : relative(root, path);
}
