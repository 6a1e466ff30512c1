import type { Refusal } from "@retake/core";
import type { Retake } from "../open-retake.ts";
import type { ExportedGit } from "./export-git.ts";
import type { PortableThread } from "./portable-thread.ts";

/** Discussions as files: out of Retake, and into it. What each format takes is loaded when it is asked for. */

export const EXPORT_FORMATS = ["json", "toml", "markdown", "git", "bundle"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The discussion as it is, or was right after an operation (L12), in every format that is one file. */
export async function exportThread(
  retake: Retake,
  thread: string,
  format: Exclude<ExportFormat, "git">,
  at?: string,
): Promise<Buffer | Refusal> {
  if (format === "bundle") return (await import("./write-bundle.ts")).writeBundle(retake, thread, at);
  const { portableThread, threadJsonDocument } = await import("./portable-thread.ts");
  const document = retake.read(thread, (history) =>
    portableThread(at === undefined ? history.state : history.stateAt(at)),
  );
  if (format === "json") return Buffer.from(`${JSON.stringify(threadJsonDocument(document), null, 2)}\n`);
  if (format === "toml") return Buffer.from((await import("./project-toml.ts")).projectToml(document));
  return Buffer.from((await import("./thread-markdown.ts")).threadMarkdown(document));
}

/** The turns of the active take as commits of a repository in a new directory. */
export async function exportRepository(
  retake: Retake,
  thread: string,
  directory: string,
  at?: string,
): Promise<ExportedGit | Refusal> {
  return (await import("./export-git.ts")).exportGit(retake, thread, directory, at);
}

export type Imported =
  | {
      readonly kind: "imported";
      readonly format: "json" | "toml" | "bundle";
      readonly threads: readonly string[];
      /** How many operations of a bundle were not here yet. */
      readonly operations?: number;
    }
  | { readonly kind: "unreadable"; readonly code: string; readonly message: string }
  | Refusal;

/** Takes in what another Retake, or an older program, has written; which format it is, the content says. */
export async function importFile(retake: Retake, bytes: Uint8Array): Promise<Imported> {
  if (ZSTD.every((byte, index) => bytes[index] === byte)) return importBundleFile(retake, bytes);
  const text = Buffer.from(bytes).toString("utf8");
  if (text.trimStart().startsWith("{")) return importJson(retake, text);
  const { readProjectToml } = await import("./project-toml.ts");
  const read = readProjectToml(text);
  if (read.kind === "unreadable") return read;
  return importDocuments(retake, "toml", read.threads);
}

const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

async function importBundleFile(retake: Retake, bytes: Uint8Array): Promise<Imported> {
  const { BundleError } = await import("./bundle-error.ts");
  const { readTitle } = await import("./read-bundle.ts");
  try {
    if (readTitle(bytes).version === 1) return await importOldBundle(retake, bytes);
    const { importBundle } = await import("./import-bundle.ts");
    const done = importBundle(retake, bytes);
    if ("code" in done) return done;
    return { kind: "imported", format: "bundle", threads: [done.thread], operations: done.operations };
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    return { kind: "unreadable", code: error.code, message: error.message };
  }
}

async function importOldBundle(retake: Retake, bytes: Uint8Array): Promise<Imported> {
  const { readBundle } = await import("./version-1/read-bundle.ts");
  const { importBundle } = await import("./version-1/import-bundle.ts");
  const done = importBundle(retake, readBundle(bytes));
  return "code" in done ? done : { kind: "imported", format: "bundle", threads: [done.thread] };
}

async function importJson(retake: Retake, text: string): Promise<Imported> {
  const { readThreadDocument } = await import("./portable-thread.ts");
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const message = `This is not JSON: ${(error as Error).message}. Nothing was changed.`;
    return { kind: "unreadable", code: "malformed", message };
  }
  const read = readThreadDocument(json);
  if (read.kind === "unreadable") return read;
  return importDocuments(retake, "json", [read.value]);
}

async function importDocuments(
  retake: Retake,
  format: "json" | "toml",
  documents: readonly PortableThread[],
): Promise<Imported> {
  const { importThreads } = await import("./import-thread.ts");
  const done = await importThreads(retake, documents);
  return "code" in done ? done : { kind: "imported", format, threads: done.threads };
}
