import { type Operation, type OperationId, type Refusal, refuse, takes, tree } from "@retake/core";
import { CaptureLog, type Hash, StoreError } from "@retake/workspace";
import { storedHash } from "../store/stored-operations.ts";
import { RefusedError } from "../undo/thread-files.ts";
import type { ImportPlace, Workspace } from "../workspace/open-workspace.ts";
import { adoptHead } from "./adopt-head.ts";
import { BundleError, broken } from "./bundle-error.ts";
import { endForeignTurns } from "./end-foreign-turns.ts";
import { TreeImport } from "./import-trees.ts";
import { dropRights, type LeftOut, outsideFilesOf } from "./left-out.ts";
import { readBundle, readTitle } from "./read-bundle.ts";

/** How much of a bundle was new. */
export interface ImportedBundle {
  readonly thread: string;
  readonly operations: number;
  readonly left_out: readonly LeftOut[];
}

/**
 * Adds the missing parts of a thread with its whole history and the files of every point, in one transaction. Existing
 * data is unchanged, and so are the files on disk. The bundle is read twice: first to verify all of it, then to import
 * it, so that it is never in memory as a whole.
 */
export function importBundle(workspace: Workspace, bytes: Uint8Array): ImportedBundle | Refusal {
  const { thread } = readTitle(bytes);
  const bundle = checkBundle(bytes);
  if (workspace.store.thread(thread) && workspace.store.isPrivate(thread) !== bundle.private)
    return refuse("already-exists", `Another thread is called ${thread} here. Nothing was changed.`);
  const place = workspace.importPlace({ private: bundle.private });
  const { files } = place;
  try {
    return files.database.transaction(() => {
      const operations = takeIn(place, thread, bytes, bundle);
      const left_out = operations > 0 ? dropRights(place, outsideFilesOf(workspace), thread) : [];
      return { thread, operations, left_out };
    });
  } catch (error) {
    files.objects.forget();
    if (error instanceof RefusedError) return error.refusal;
    if (error instanceof BundleError || error instanceof StoreError) throw error;
    // The chain of hashes is intact, but its content is inconsistent.
    throw broken((error as Error).message);
  }
}

interface CheckedBundle {
  readonly private: boolean;
  /** The operations that no other operation follows. */
  readonly heads: ReadonlySet<OperationId>;
  readonly sizes: ReadonlyMap<Hash, number>;
}

function checkBundle(bytes: Uint8Array): CheckedBundle {
  const heads = new Set<OperationId>();
  const sizes = new Map<Hash, number>();
  let isPrivate = false;
  for (const item of readBundle(bytes)) {
    if (item.kind === "object") sizes.set(item.hash, item.content.byteLength);
    if (item.kind !== "operation") continue;
    const { id, parents } = item.operation;
    for (const parent of parents) heads.delete(parent);
    heads.add(id);
    if (parents.length === 0) isPrivate = bornPrivate(item.operation);
  }
  return { private: isPrivate, heads, sizes };
}

function takeIn(place: ImportPlace, thread: string, bytes: Uint8Array, { heads, sizes }: CheckedBundle): number {
  const { files, threads, origin } = place;
  const { database, objects } = files;
  const needed = new Set<Hash>();
  const trees = new TreeImport(database, ({ hash, size }) => {
    if (sizes.get(hash) !== size) throw broken(`the content ${hash} is not in it`);
    needed.add(hash);
  });
  let added = 0;
  threads.place(thread, origin.workspace_root);
  for (const item of readBundle(bytes)) {
    if (item.kind === "tree") trees.add(item);
    else if (item.kind === "object") {
      if (needed.has(item.hash)) objects.writeHashed(item.hash, item.content);
    } else {
      const known = storedHash(database, item.operation.id);
      if (known && (known.hash !== item.stored.hash || known.thread !== thread))
        throw broken(`operation ${item.operation.id} is here, and says something else`);
      if (known) continue;
      threads.receive(thread, item.operation, item.stored);
      added += 1;
    }
  }
  objects.flush();
  for (const head of heads) adoptHead(threads, place.identity, thread, head);
  endForeignTurns(place, thread);
  requireFiles(place, thread);
  return added;
}

function bornPrivate({ diff }: Operation): boolean {
  const born = diff.changes.find(({ id }) => id === "thread");
  return born?.kind === "create" && born.after["private"] === true;
}

/** Files of the past may have been deleted by gc where the bundle was made; current files never are. */
function requireFiles({ files, threads }: ImportPlace, thread: string): void {
  const captures = new CaptureLog(files.database);
  const present = threads.read(thread, ({ state }) => takes(state).map(({ id }) => tree(state, id)));
  if (present.some((name) => name !== "" && !captures.has(name))) throw broken("it names a tree that is not there");
}
