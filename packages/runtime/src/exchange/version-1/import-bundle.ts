import { changeSetting, LogUpgrade, liveTakes, MemoryHistory, type Refusal, refuse, setting } from "@retake/core";
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
import type { Bundle } from "./read-bundle.ts";

/**
 * Takes a thread in with its whole history and the files of every point of it, in one transaction. The files on disk
 * stay as they are. A thread that is here already is not taken in a second time: its operations are here.
 */
export function importBundle(workspace: Workspace, bundle: Bundle): { thread: string } | Refusal {
  const { thread } = bundle;
  if (workspace.store.everyThread().some(({ id }) => id === thread))
    return refuse("already-exists", `This discussion is here already: ${thread}. Nothing was changed.`);
  const place = workspace.importPlace({ private: isPrivate(bundle) });
  const { files, threads, origin } = place;
  try {
    files.database.transaction(() => {
      for (const [hash, content] of bundle.objects) files.objects.writeHashed(hash, content);
      files.objects.flush();
      threads.place(thread, origin.workspace_root);
      const names = addTrees(place, bundle);
      const upgrade = new LogUpgrade((tree) => nameOf(names, tree));
      const history = new MemoryHistory();
      for (const old of bundle.operations) {
        const operation = upgrade.upgrade(history, old);
        history.commit(operation);
        threads.receive(thread, operation, storedOperation(files.database, operation));
      }
      threads.forward(thread, history.state.head ?? "");
      forgetApprovals(place, thread);
    });
    return { thread };
  } catch (error) {
    files.objects.forget();
    // The chain was whole, but what it says cannot have happened.
    throw broken((error as Error).message);
  }
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
        ...{ id: treeName("", creations(states)), workspace: undefined, parent: undefined, createdAt: Date.now() },
        ...{ ...totals, changes: encodeChanges([]), distance: 0 },
        ...{
          listing: encodeListing([...states].sort(([a], [b]) => (a < b ? -1 : 1))),
          receipt: JSON.stringify(receipt),
        },
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

/** Who sends a bundle does not decide which tools may run here. */
function forgetApprovals({ threads, identity }: ImportPlace, thread: string): void {
  const ruled = threads.read(thread, ({ state }) =>
    liveTakes(state).filter(({ id }) => setting(state, id, "approval_rules").length > 0),
  );
  for (const { id: take } of ruled) {
    const context = { ...identity.context({ kind: "system" }), take };
    threads.change(thread, ({ state }) => changeSetting(state, context, { field: "approval_rules", value: [] }));
  }
}
