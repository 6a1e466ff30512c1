import type { FileState, FileTree, Hash } from "./model.ts";
import { objectId } from "./object-id.ts";

/**
 * The id that git gives a tree of these files: the result of `git add -A` and `git write-tree` in a SHA-256 repository
 * without conversions.
 *
 * Paths come in byte order, which is also git's order of trees: git sorts a directory as if its name ended in a slash.
 * So one pass with a stack of open directories is enough.
 */
export function treeId(tree: FileTree): Hash {
  const open: OpenDirectory[] = [{ prefix: "", name: "", entries: [] }];
  for (const [path, state] of tree.entries()) {
    const mode = gitMode(state);
    if (mode === undefined) continue;
    while (!path.startsWith(last(open).prefix)) close(open);
    for (;;) {
      const { prefix } = last(open);
      const slash = path.indexOf("/", prefix.length);
      if (slash < 0) break;
      open.push({ prefix: path.slice(0, slash + 1), name: path.slice(prefix.length, slash), entries: [] });
    }
    const { prefix, entries } = last(open);
    if (state.kind !== "directory") entries.push(entry(mode, path.slice(prefix.length), state.hash));
  }
  while (open.length > 1) close(open);
  return objectId("tree", Buffer.concat(last(open).entries));
}

interface OpenDirectory {
  /** Ends with a slash; empty for the top. */
  readonly prefix: string;
  readonly name: string;
  readonly entries: Buffer[];
}

function close(open: OpenDirectory[]): void {
  const done = open.pop();
  if (done) last(open).entries.push(entry("40000", done.name, objectId("tree", Buffer.concat(done.entries))));
}

function last(open: readonly OpenDirectory[]): OpenDirectory {
  const directory = open.at(-1);
  if (!directory) throw new Error("The top of a tree was closed before its last path");
  return directory;
}

function entry(mode: string, name: string, hash: Hash): Buffer {
  const head = Buffer.from(`${mode} ${name}\0`, "latin1");
  return Buffer.concat([head, Buffer.from(hash, "hex")]);
}

/** Undefined for files that git would not add. */
function gitMode(state: FileState): string | undefined {
  if (state.ignored || state.kind === "directory") return undefined;
  if (state.kind === "link") return "120000";
  return state.mode & 0o100 ? "100755" : "100644";
}
