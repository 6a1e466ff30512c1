import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { mkdirSync, readlinkSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { CaptureError } from "./capture-error.ts";
import type { BytePath } from "./model.ts";

/**
 * Directories as text. A path that is UTF-8 is named by itself, without links. For one that is not, Node, JSON, SQLite and
 * the arguments of programs have no text, so it is named through an alias: a link that this machine keeps, whose target
 * is the path up to the last name that is not UTF-8. The alias follows from the bytes, so a directory has one name,
 * whichever way it is reached, and an alias that is lost is made again.
 */

/** A workspace's directory. `aliases`: where links for paths that are not UTF-8 are; without it, such a path stays as given. */
export function resolveRoot(root: string, aliases?: string): string {
  let real: Buffer;
  try {
    real = realBytes(root);
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code === "ENOENT" ? ": there is no such directory" : "";
    throw new CaptureError("refused-root", `'${root}' cannot be opened as a workspace${why}. Nothing was changed.`, {
      cause,
    });
  }
  if (isUtf8(real)) return real.toString();
  return aliases === undefined ? root : aliasOf(real, aliases);
}

/** The real path of something in a workspace, named from its root; of something elsewhere, as text as far as there is one. */
export function realPathIn(root: string, path: string | Buffer): string {
  const [base, real] = [realBytes(root), realBytes(path)];
  if (isUtf8(real) || !isUnder(real, base)) return real.toString();
  return `${root}${real.subarray(base.length).toString()}`;
}

/** Whether a path leads into a directory, all links followed. */
export function leadsInto(directory: string, path: string): boolean {
  const [base, real] = [realBytes(directory), realBytes(path)];
  return isUnder(real, base);
}

/** The real path. Two directories are the same only if these bytes are: their text may go through an alias, or be equal by loss. */
export function realBytePath(path: string): BytePath {
  return realBytes(path).toString("latin1");
}

function isUnder(path: Buffer, directory: Buffer): boolean {
  return path.equals(directory) || path.toString("latin1").startsWith(`${directory.toString("latin1")}/`);
}

function realBytes(path: string | Buffer): Buffer {
  return realpathSync.native(path, { encoding: "buffer" });
}

function aliasOf(real: Buffer, aliases: string): string {
  const names = real.toString("latin1").split("/");
  const last = names.findLastIndex((name) => !isUtf8(Buffer.from(name, "latin1")));
  const target = Buffer.from(names.slice(0, last + 1).join("/"), "latin1");
  const rest = Buffer.from(names.slice(last + 1).join("/"), "latin1").toString();
  const readable = (names[last] ?? "").replace(/[^\w.-]/g, "_").slice(0, 40);
  const alias = join(aliases, `${readable}-${createHash("sha256").update(target).digest("hex").slice(0, 12)}`);
  try {
    mkdirSync(aliases, { recursive: true, mode: 0o700 });
    symlinkSync(target, alias);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  if (!readlinkSync(alias, { encoding: "buffer" }).equals(target))
    throw new CaptureError(
      "refused-root",
      `The link ${alias} stands for a workspace whose path is not UTF-8, and leads elsewhere. Nothing was changed. Delete it.`,
    );
  return join(alias, rest);
}
