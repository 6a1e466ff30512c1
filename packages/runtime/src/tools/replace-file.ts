import { randomBytes } from "node:crypto";
import { type BigIntStats, lstatSync, renameSync, unlinkSync } from "node:fs";
import { access, constants, mkdir, open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { bytePath, Directories, parentOf, STAGE_PREFIX } from "@retake/workspace";
import type { Located } from "./locate-path.ts";
import type { ToolRun } from "./tool.ts";

/** How the names begin of files that are written aside, to be renamed into place. */
export const STAGED_WRITE = `${STAGE_PREFIX}write-`;

/**
 * Puts a file in place whole or not at all: written beside it, flushed, renamed over it. The mode
 * stays; a hard link elsewhere keeps the old content. Inside the workspace every directory on the
 * way is opened without following links, so a link turned after the path was resolved leads nowhere.
 *
 * `before` is the file as it was read; one that is another by now is not replaced.
 */
export async function replaceFile(
  located: Located,
  content: Uint8Array,
  run: ToolRun,
  before?: BigIntStats,
): Promise<Replaced> {
  const directory = await openParent(located, run.root);
  if ("refused" in directory) return { kind: "refused", message: directory.refused };
  try {
    return await replaceIn(directory, basename(located.absolute), located, content, run, before);
  } finally {
    directory.close();
  }
}

type Replaced =
  | { readonly kind: "created" | "replaced" }
  /** Nothing was changed; the message is for the model. */
  | { readonly kind: "refused"; readonly message: string };

interface Parent {
  place(name: string): string | Buffer;
  close(): void;
}

async function replaceIn(
  directory: Parent,
  name: string,
  { given }: Located,
  content: Uint8Array,
  run: ToolRun,
  before: BigIntStats | undefined,
): Promise<Replaced> {
  const target = directory.place(name);
  const existing = lstatSync(target, { throwIfNoEntry: false });
  if (existing?.isDirectory()) return refused(`${given} is a directory. Nothing was changed.`);
  if (existing && !existing.isFile()) return refused(`${given} is not a regular file. Nothing was changed.`);
  if (existing) await access(target, constants.W_OK);

  // Captures leave this prefix out, so a temporary file that a killed process leaves is nobody's change.
  const temporary = directory.place(`${STAGED_WRITE}${randomBytes(8).toString("hex")}`);
  try {
    await writeNew(temporary, content, existing && existing.mode & 0o777);
    run.signal.throwIfAborted();
    // From here to the rename in one go: nothing else of this process comes between.
    if (before && !isSame(before, target)) {
      unlinkSync(temporary);
      return refused(`${given} was changed by something else meanwhile. Nothing was changed; read it again.`);
    }
    renameSync(temporary, target);
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
  return { kind: existing ? "replaced" : "created" };
}

async function openParent(located: Located, root: string): Promise<Parent | { readonly refused: string }> {
  if (located.place === "outside") {
    const directory = dirname(located.absolute);
    await mkdir(directory, { recursive: true });
    return { place: (name) => join(directory, name), close: () => undefined };
  }
  if (located.path === ".") return { refused: `${located.given} is the workspace itself. Nothing was changed.` };
  const directories = new Directories(bytePath(root));
  const close = () => directories.close();
  try {
    const found = directories.ensure(parentOf(bytePath(located.path)), () => undefined);
    if (found.kind === "directory") return { place: (name) => found.directory.place(bytePath(name)), close };
    close();
    return { refused: `A directory of ${located.given} is a file or became a link. Nothing was changed.` };
  } catch (error) {
    close();
    throw error;
  }
}

async function writeNew(path: string | Buffer, content: Uint8Array, mode: number | undefined): Promise<void> {
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode ?? 0o666);
  try {
    await handle.writeFile(content);
    // The umask has its say in a new file's mode and none in one that is kept.
    if (mode !== undefined) await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isSame(before: BigIntStats, target: string | Buffer): boolean {
  const now = lstatSync(target, { bigint: true, throwIfNoEntry: false });
  return now?.ino === before.ino && now.ctimeNs === before.ctimeNs && now.size === before.size;
}

function removeIfThere(path: string | Buffer): void {
  try {
    unlinkSync(path);
  } catch {
    // It was never made, or is in place already.
  }
}

function refused(message: string): Replaced {
  return { kind: "refused", message };
}
