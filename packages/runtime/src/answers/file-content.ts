import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { type Refusal, refuse } from "@retake/core";
import { type BytePath, bytePath, type CaptureId, leadsInto, type WorkspaceFiles } from "@retake/workspace";

/** A file, or a part of it, as JSON. */
export interface FileContent {
  readonly path: string;
  readonly kind: "file" | "link";
  /** The size of the whole file. */
  readonly size: number;
  readonly executable: boolean;
  readonly offset: number;
  readonly more: boolean;
  readonly encoding: "utf8" | "base64";
  readonly content: string;
}

export interface FilePart {
  readonly path: string;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

const DEFAULT_LIMIT = 1024 * 1024;

/** A file as a capture has it. */
export function capturedFile(workspace: WorkspaceFiles, capture: CaptureId, part: FilePart): FileContent | Refusal {
  const path = capturedPath(part.path);
  const files = workspace.files(capture);
  const state = files.get(path);
  if (!state || state.kind === "directory") {
    const why = files.uncovered(path);
    return notThere(part, why ? `it was not captured (${why.reason})` : "it was not there");
  }
  const executable = state.kind === "file" && (state.mode & 0o100) !== 0;
  return filePart(part, { kind: state.kind, executable, bytes: workspace.objects.read(state.hash, path) });
}

/** A path as captures name it: on disk `./a//b` leads to `a/b`, and in a capture it has to be that. */
export function capturedPath(path: string): BytePath {
  return bytePath(posix.normalize(path).replace(/^\/+/, ""));
}

/** A file as it is on disk. A link is not followed, and nothing outside of the directory is read. */
export function fileOnDisk(root: string, part: FilePart): FileContent | Refusal {
  const file = join(root, part.path);
  try {
    const state = leadsInto(root, dirname(file)) ? lstatSync(file) : undefined;
    if (state?.isSymbolicLink())
      return filePart(part, { kind: "link", executable: false, bytes: readlinkSync(file, { encoding: "buffer" }) });
    if (!state?.isFile()) return notThere(part, "it is no file of this directory");
    return filePart(part, { kind: "file", executable: (state.mode & 0o100) !== 0, bytes: readFileSync(file) });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (NO_FILE.has(code ?? "")) return notThere(part, "it is not there");
    throw error;
  }
}

/** The last one is a path with a NUL character, which no file has. */
const NO_FILE: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"]);

export function filePart(
  { path, offset = 0, limit = DEFAULT_LIMIT }: FilePart,
  { kind, executable, bytes }: Pick<FileContent, "kind" | "executable"> & { readonly bytes: Buffer },
): FileContent {
  const part = bytes.subarray(offset, offset + limit);
  const facts = { path, kind, size: bytes.length, executable, offset };
  const more = offset + part.length < bytes.length;
  // A limit may fall into the middle of a character, which is then left to the next part.
  for (let end = part.length; end >= (more ? Math.max(1, part.length - 3) : part.length); end -= 1) {
    const content = utf8(part.subarray(0, end));
    if (content !== undefined) return { ...facts, more, encoding: "utf8", content };
  }
  return { ...facts, more, encoding: "base64", content: part.toString("base64") };
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function notThere({ path }: FilePart, why: string): Refusal {
  return refuse("not-found", `${path.slice(0, 200)} cannot be read: ${why}.`);
}
