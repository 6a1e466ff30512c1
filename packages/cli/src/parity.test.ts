/**
 * Every action has a route and a command, or the reason why not is here. The calls of a command are read from its
 * source: the actions that it, or a file of the command line that it imports, imports or asks a client for.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { routes } from "@retake/client/routes";
import { actions } from "@retake/runtime/actions";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "./commands.ts";

const SOURCE = dirname(fileURLToPath(import.meta.url));

/** Routes of HTTP alone: they do nothing that a user does. */
const NO_ACTION = ["createLogin", "describeApi", "followEvents", "followTurn", "health", "runAction"];

/** Actions without a command. */
const NO_COMMAND: Readonly<Record<string, string>> = {
  addScreenshot: "screens take pictures; context add takes files",
  changeQueuedTurn: "a screen shows its queue; on the command line a turn that waits is a command that waits",
  diffSnapshot: "diff takes snapshots as it takes points",
  exportThread: "export writes the same file as bytes, up to 1 GB; a route sends it as text, which cannot be as long",
  findInThread: "search finds it in all threads",
  getCheckpoint: "a screen's state; the command line reads lists",
  getEntry: "log #7.2 shows one entry, from the list",
  getHookSession: "for programs that hold a whole session; export is the command's way",
  getState: "for hooks: status and settings say it to people",
  getStateField: "for hooks: status and settings say it to people",
  getScreenshot: "a terminal shows no pictures",
  getSession: "named saves are for programs; branch and snapshot are a person's way",
  getThread: "status, settings and log show its parts",
  getTurnRequest: "for screens; the communication log holds all that was sent",
  importThreads: "import reads the same file as bytes, up to 1 GB; a route takes it as text, which cannot be as long",
  listFiles: "for screens; a shell lists files",
  listSessions: "named saves are for programs",
  patchUndo: "undo in the form that a program asked for",
  replaceEntries: "import and edit do it in a form that a person can write",
  replaceHookSession: "import does it for a person",
  resumeSession: "named saves are for programs",
  saveSession: "named saves are for programs",
  showEntries: "collapsing is of screens",
  summarizeThreads: "threads and status",
  tryNow: "a screen shows the wait; on the command line the wait is the command's own",
  undoSession: "undo in the form that a program asked for",
};

/** Commands without an action. */
const NO_ROUTE: Readonly<Record<string, string>> = {
  completion: "writes a script for the user's shell",
  config:
    "the configuration belongs to the user of this machine: nothing that talks to a server changes keys or programs",
  doctor: "examines a store that may be too damaged to be opened",
  export: "writes the file of exportThread as bytes, or a git repository into a directory of this machine",
  gc: "gives up history for good: only a person at this machine does that",
  serve: "is the server",
  "sync-server": "is a server of its own, for other machines",
  web: "is the server",
};

const every = Object.keys(actions).sort();
const called = new Map(Object.keys(COMMANDS).map((name) => [name, calledBy(join(SOURCE, "commands", `${name}.ts`))]));

describe("parity of actions, routes and commands", () => {
  test("every route has an action or is of HTTP alone, and every action has a route", () => {
    const all = Object.keys(routes).sort();
    expect(all.filter((name) => !every.includes(name))).toEqual(NO_ACTION);
    expect(every.filter((name) => !all.includes(name))).toEqual([]);
  });

  test("every action has a command, or a reason why it has none", () => {
    const reached = new Set([...called.values()].flatMap((names) => [...names]));
    expect(every.filter((name) => !reached.has(name))).toEqual(Object.keys(NO_COMMAND).sort());
  });

  test("every command calls an action, or there is a reason why it calls none", () => {
    const none = [...called].flatMap(([name, names]) => (names.size === 0 ? [name] : []));
    expect(none.sort()).toEqual(Object.keys(NO_ROUTE).sort());
  });
});

/** The actions that a file and the files that it imports call. */
function calledBy(file: string, seen = new Set<string>()): Set<string> {
  const found = new Set<string>();
  if (seen.has(file) || !existsSync(file)) return found;
  seen.add(file);
  const text = readFileSync(file, "utf8");
  for (const [, name = ""] of text.matchAll(/from "@retake\/runtime\/actions\/([a-z-]+)"/g)) found.add(camelCase(name));
  for (const [, name = ""] of text.matchAll(/#client\.(\w+)\(/g)) if (every.includes(name)) found.add(name);
  for (const [, path = ""] of text.matchAll(/from "(\.[^"]+)"/g))
    for (const name of calledBy(resolve(dirname(file), path), seen)) found.add(name);
  return found;
}

function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
