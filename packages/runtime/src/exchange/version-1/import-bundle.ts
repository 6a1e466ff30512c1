import { LogUpgrade, MemoryHistory, type Refusal, refuse } from "@retake/core";
import {
  type BytePath,
  CaptureLog,
  type Change,
  creations,
  deriveCapture,
  encodeChanges,
  encodeListing,
  type RecordedState,
  treeName,
} from "@retake/workspace";
import { storedOperation } from "../../store/stored-operations.ts";
import type { ImportPlace, Workspace } from "../../workspace/open-workspace.ts";
import { broken } from "../bundle-error.ts";
import { endForeignTurns } from "../end-foreign-turns.ts";
import { dropRights, type LeftOut, outsideFilesOf } from "../left-out.ts";
import { requireValidRecords } from "../operation-reader.ts";
import type { Bundle } from "./read-bundle.ts";

/**
 * Imports a thread with its whole history and the files of every point, in one transaction. The files on disk stay
 * unchanged. A thread that exists here is not imported a second time: its operations are already here.
 */
export function importBundle(workspace: Workspace, bundle: Bundle): ImportedOldBundle | Refusal {
  const { thread } = bundle;
  if (workspace.store.has(thread))
    return refuse("already-exists", `This thread is here already: ${thread}. Nothing was changed.`);
  const place = workspace.importPlace({ private: isPrivate(bundle) });
  const { files, threads, origin } = place;
  try {
    const left_out = files.database.transaction(() => {
      for (const [hash, content] of bundle.objects) files.objects.writeHashed(hash, content);
      files.objects.flush();
      threads.place(thread, origin.workspace_root);
      const names = addTrees(place, bundle);
      const upgrade = new LogUpgrade((tree) => nameOf(names, tree));
      const history = new MemoryHistory();
      for (const old of bundle.operations) {
        const operation = upgrade.upgrade(history, old);
        requireValidRecords(operation);
        history.commit(operation);
        threads.receive(thread, operation, storedOperation(files.database, operation));
      }
      threads.forward(thread, history.state.head ?? "");
      endForeignTurns(place, thread);
      return dropRights(place, outsideFilesOf(workspace), thread);
    });
    return { thread, left_out };
  } catch (error) {
    files.objects.forget();
    // The chain of hashes is intact, but its content is inconsistent.
    throw broken((error as Error).message);
  }
}

interface ImportedOldBundle {
  readonly thread: string;
  readonly left_out: readonly LeftOut[];
}

function addTrees({ files: { database } }: ImportPlace, { trees }: Bundle): Map<string, string> {
  const log = new CaptureLog(database);
  const names = new Map<string, string>();
  let before: ReadonlyMap<BytePath, RecordedState> | undefined;
  let last = "";
  for (const { name, states } of trees) {
    if (before === undefined) {
      const files = [...states.values()].filter(({ kind }) => kind === "file" || kind === "link") as { size: number }[];
      const totals = { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
      const receipt = { ...totals, changed: files.length, ignoredChanged: [], leftOutChanged: [], foundBy: "restore" };
      last = log.add({
        id: treeName("", creations(states)),
        workspace: undefined,
        parent: undefined,
        createdAt: Date.now(),
        ...totals,
        changes: encodeChanges([]),
        distance: 0,
        listing: encodeListing([...states].sort(([a], [b]) => (a < b ? -1 : 1))),
        receipt: JSON.stringify(receipt),
      });
    } else last = deriveCapture(database, last, changesFrom(before, states));
    before = states;
    names.set(name, last);
  }
  return names;
}

function changesFrom(
  before: ReadonlyMap<BytePath, RecordedState>,
  after: ReadonlyMap<BytePath, RecordedState>,
): Change[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    if (JSON.stringify(old) === JSON.stringify(now)) return [];
    return [{ path, ...(old ? { before: old } : {}), ...(now ? { after: now } : {}) }];
  });
}

function nameOf(names: ReadonlyMap<string, string>, tree: string): string {
  const name = tree === "" ? "" : names.get(tree);
  if (name === undefined) throw broken("it names a tree that is not there");
  return name;
}

function isPrivate({ operations: [first] }: Bundle): boolean {
  const born = first?.diff.changes.find(({ id }) => id === "thread");
  return born?.kind === "create" && born.after["private"] === true;
}
