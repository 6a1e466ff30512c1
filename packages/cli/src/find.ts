import { type Entry, isRefusal, type Refusal, type Take } from "@retake/core";
import {
  findEntry,
  findPoint,
  findSnapshot,
  findTake,
  findThread,
  findThreadOrTake,
  type Point,
  type SnapshotRow,
  type ThreadOrTake,
  type ThreadSummary,
  type Workspace,
} from "@retake/runtime";
import { type Call, type CommandError, notFound, refused, wrongUsage } from "./command.ts";

/**
 * Finds the things that arguments of commands name, where the command itself needs them. The runtime finds them; here a
 * refusal only adds how to see the existing names.
 */
export const find = {
  entry: ({ workspace, thread }: Call, name: string | undefined): Entry =>
    workspace.store.names(thread, (scope) => orThrow(findEntry(scope, requireName("entry", name)))),

  point: ({ workspace, thread }: Call, name: string | undefined): Point =>
    workspace.store.names(thread, (scope) => orThrow(findPoint(scope, requireName("point", name)))),

  take: ({ workspace, thread }: Call, name: string | undefined): Take =>
    workspace.store.read(thread, ({ state }) => orThrow(findTake(state, requireName("take", name)))),

  threadOrTake: ({ workspace, thread }: Call, name: string | undefined): ThreadOrTake =>
    orThrow(findThreadOrTake(workspace, thread, requireName("thread or take", name))),

  snapshot: ({ workspace }: Call, name: string | undefined): SnapshotRow =>
    orThrow(findSnapshot(workspace, requireName("snapshot", name))),

  /** Without a name, the one that the workspace stands at. */
  thread(workspace: Workspace, name: unknown): ThreadSummary {
    if (typeof name === "string") return orThrow(findThread(workspace, requireName("thread", name)));
    const current = workspace.currentThread();
    if (!current) throw notFound("There is no thread in this workspace yet. Begin one: retake run <prompt>");
    return current;
  },
};

function orThrow<T extends object>(result: T | Refusal): T {
  if (isRefusal(result)) throw explained(result);
  return result;
}

/** A refusal for the command line, with a hint how to see the existing names. */
export function explained(refusal: Refusal): CommandError {
  const list = LISTS[String(refusal.details?.["kind"])];
  return refused(list === undefined ? refusal : { ...refusal, message: `${refusal.message} ${list}.` });
}

/** A name that an action finds the thing of. */
export function requireName(kind: string, name: string | undefined): string {
  if (name !== undefined && name !== "") return name;
  // In many shells #7 is a comment, and the command never sees it.
  const numbered = ["entry", "point", "turn, call or operation"].includes(kind)
    ? " Leave out the # of a name, or quote it."
    : "";
  throw wrongUsage(`Name ${ARTICLES[kind] ?? `a ${kind}`}. ${LISTS[kind]}.${numbered}`);
}

const ARTICLES: Readonly<Record<string, string>> = {
  entry: "an entry",
  point: "a turn or an operation",
};

/** How the names of a kind of thing are listed. */
const LISTS: Readonly<Record<string, string>> = {
  entry: "retake entries lists them",
  call: "retake entries lists them",
  turn: "retake history lists them",
  operation: "retake history --all lists them",
  point: "retake history --all lists them",
  "turn, call or operation": "retake history --all lists them",
  take: "retake takes lists them",
  thread: "retake threads lists them",
  "thread or take": "retake threads and retake takes list them",
  snapshot: "retake snapshots lists them",
};
