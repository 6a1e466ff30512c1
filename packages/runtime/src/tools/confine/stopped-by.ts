/**
 * Explains in words how the confinement stopped a failed command. The text of the command alone proves nothing:
 * programs print anything. So each answer rests on a fact:
 *
 *   network    the counters of the command's own network, in which nothing but its loopback can be reached
 *   files      a path that the command named in its output lies where the confinement forbids writing, Retake itself may
 *              write there, and the line says that the file system is read-only
 *   hidden     a path that the command named in its output is one that confined commands do not see
 */
import { accessSync, constants, existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type ConfinedPlace, isUnder } from "./confined-place.ts";

/** `network`: `/proc/net/snmp` and `/proc/net/snmp6` of the command's network, when it had ended. */
export function stoppedBy(output: string, network: string, place: ConfinedPlace): string[] {
  const lines = output.slice(-LONGEST_LOOK).split("\n");
  const named = lines.flatMap((line) => pathsIn(line, place.root));
  const hidden = named.filter((path) => isHidden(path, place)).map((path) => `it does not see ${path}`);
  const refused = lines.flatMap((line) => refusedPaths(line, place.root));
  const forbidden = refused.filter((path) => isForbidden(path, place)).map((path) => `it may not write ${path}`);
  return [...new Set([...networkReasons(network), ...forbidden, ...hidden])].slice(0, MOST_REASONS);
}

const LONGEST_LOOK = 20_000;
const LONGEST_LINE = 2000;
const MOST_REASONS = 3;
const READ_ONLY = /EROFS|read-only file system/i;

function networkReasons(counters: string): string[] {
  const of = counterReader(counters);
  if (of("Ip", "OutNoRoutes") + of("Ip6", "OutNoRoutes") > 0) return ["it has no network"];
  return of("Tcp", "AttemptFails") > 0 ? ["it does not reach the ports of this machine"] : [];
}

/** Two lines a group, names and numbers, or one line a counter. */
function counterReader(counters: string): (group: string, name: string) => number {
  const lines = counters.split("\n");
  return (group, name) => {
    const single = new RegExp(`^${group}${name}\\s+(\\d+)`, "m").exec(counters)?.[1];
    if (single !== undefined) return Number(single);
    const [names, numbers] = lines.filter((line) => line.startsWith(`${group}: `)).map((line) => line.split(" "));
    return Number(numbers?.[names?.indexOf(name) ?? -1] ?? 0);
  };
}

/**
 * `<program>: <path>: <reason>`, or `<reason>: <path>`. Not every path in the line: the program may be one, and the
 * refused path may be relative.
 */
function refusedPaths(line: string, root: string): string[] {
  const [before = "", ...after] = line.slice(0, LONGEST_LINE).split(READ_ONLY);
  if (after.length === 0) return [];
  const rest = after.join(" ");
  const words = [before, rest].flatMap((part) =>
    part
      .split(/[\s'"`‘’“”:=,;()]+/)
      .filter(Boolean)
      .slice(-1),
  );
  return [...words.map((word) => resolve(root, word)), ...pathsIn(rest, root).slice(-1)];
}

/** Absolute ones, and those into a `.git` directory. */
function pathsIn(line: string, root: string): string[] {
  const found = line.slice(0, LONGEST_LINE).matchAll(/(?:^|[\s'"`‘“:=(])((?:\/|[\w./-]*\.git\/)[^\s'"`’”:,;()]*)/g);
  return Array.from(found, ([, path = ""]) => resolve(root, path)).slice(0, 20);
}

function isHidden(path: string, { hidden, hiddenAround, root }: ConfinedPlace): boolean {
  if (hidden.some((each) => isUnder(path, each.path))) return true;
  return !isUnder(path, root) && hiddenAround.some((each) => isUnder(path, each.path)) && existsSync(path);
}

function isForbidden(path: string, { root, temporary, readOnly }: ConfinedPlace): boolean {
  const inside = [root, temporary, "/tmp", "/var/tmp", "/dev", "/proc"].some((each) => isUnder(path, each));
  if (inside && !readOnly.some((each) => isUnder(path, each))) return false;
  return isWritable(nearestExisting(path));
}

function nearestExisting(path: string): string {
  return path === "/" || existsSync(path) ? path : nearestExisting(dirname(path));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
