import {
  equal,
  type History,
  type Json,
  type JsonObject,
  keyOf,
  kindOf,
  localId,
  MissingOperationError,
  type Operation,
  type RecordId,
  recordOf,
  takeOf,
} from "@retake/core";
import { entryNames, nameOfTurn } from "../names/name-things.ts";
import type { NameScope } from "../store/name-index.ts";
import type { Workspace } from "../workspace/open-workspace.ts";
import { type DiffedFile, diffFiles } from "./diff-files.ts";

export interface RecordChange {
  readonly record: RecordId;
  /** The name of an entry or a turn. */
  readonly name?: string;
  readonly status: "added" | "changed" | "removed";
  readonly before?: JsonObject;
  readonly after?: JsonObject;
}

export interface OperationEffects {
  readonly operation: Operation;
  /** The first of its group, which says what the group is about; of a call, the operation itself. */
  readonly first: Operation;
  readonly changes: readonly RecordChange[];
  readonly files: readonly DiffedFile[];
}

/**
 * The changes of an operation, together with the earlier changes of its group (a turn, a burst of typing). Of an operation of a
 * tool call, the changes of that call alone: that is what a revert of it takes back [X15].
 */
export async function effectsOfOperation(workspace: Workspace, thread: string, id: string): Promise<OperationEffects> {
  await workspace.store.reach(thread, id);
  const { trees, ...effects } = workspace.store.names(thread, (scope) => {
    const { history } = scope;
    const whole = groupUpTo(history, id);
    const operation = whole[0] ?? missing(id);
    const call = operationsOfCall(operation, whole);
    const group = call ?? whole;
    const first = group.at(-1) ?? operation;
    const changes = changesOf(history, group, first.parents[0]);
    // Another call may have ended since this one was proposed.
    const own = call ? changesOf(history, [operation], operation.parents[0]) : changes;
    const tree = own.find(({ record }) => localId(record) === "workspace");
    const shown = changes.filter(({ record }) => !HIDDEN.includes(localId(record))).map(addName(scope));
    return {
      operation,
      first: call ? operation : first,
      changes: shown,
      trees: [treeIn(tree?.before), treeIn(tree?.after)] as const,
    };
  });
  const [before, after] = trees;
  const known = before !== "" && after !== "";
  const files = known ? await diffFiles(workspace.files(thread), before, after, { hunks: true }) : [];
  return { ...effects, files };
}

function addName(scope: NameScope): (change: RecordChange) => RecordChange {
  const entryName = entryNames(scope);
  return (change) => {
    const [kind, key] = [kindOf(change.record), keyOf(change.record)];
    const name = kind === "entry" ? entryName(key) : kind === "turn" ? nameOfTurn(scope, key) : undefined;
    return name === undefined ? change : { ...change, name };
  };
}

/** Internal records of the agent and of the captures. */
const HIDDEN = ["agent", "workspace"];

/** Newest first. Other takes' operations may stand between those of a group. */
function groupUpTo(history: History, id: string): Operation[] {
  const last = history.operation(id) ?? missing(id);
  const group = [last];
  for (let at = last.id === last.group ? undefined : last.parents[0]; at !== undefined; ) {
    const operation: Operation = history.operation(at) ?? missing(at);
    if (operation.group === last.group) group.push(operation);
    at = operation.id === last.group ? undefined : operation.parents[0];
  }
  return group;
}

/** The operations of a tool call, newest first; undefined for an operation of no call. */
function operationsOfCall({ kind, diff }: Operation, group: readonly Operation[]): Operation[] | undefined {
  if (!CALL_KINDS.includes(kind)) return undefined;
  const result = diff.changes.find(({ id }) => kindOf(id) === "entry")?.id;
  return group.filter((each) => CALL_KINDS.includes(each.kind) && each.diff.changes.some(({ id }) => id === result));
}

const CALL_KINDS: readonly Operation["kind"][] = ["tool-proposed", "tool-started", "tool-progressed", "tool-ended"];

function changesOf(history: History, group: readonly Operation[], parent: string | undefined): RecordChange[] {
  const [last] = group;
  const records = new Set(group.toReversed().flatMap(({ diff }) => diff.changes.map((change) => change.id)));
  if (!last) return [];
  // The later one first: the other is found from there.
  const now = history.stateAt(last.id);
  const then = parent === undefined ? undefined : history.stateAt(parent);
  return [...records].flatMap((record): RecordChange[] => {
    // A branch makes a space: the copied records were there before, in another take.
    const before =
      then && (takeOf(record) === undefined || then.spaces.has(takeOf(record) ?? ""))
        ? recordOf(then, record)
        : undefined;
    const after = recordOf(now, record);
    if (equal(before as Json, after as Json)) return [];
    const status = before === undefined ? "added" : after === undefined ? "removed" : "changed";
    return [{ record, status, ...(before ? { before } : {}), ...(after ? { after } : {}) }];
  });
}

function treeIn(record: JsonObject | undefined): string {
  return (record?.["tree"] ?? "") as string;
}

function missing(id: string): never {
  throw new MissingOperationError(id);
}
