import { isRefusal, type Refusal } from "@retake/core";
import type { Workspace } from "../workspace/open-workspace.ts";
import type { ExportedGit } from "./export-git.ts";
import type { Exported, ExportOptions } from "./held-back.ts";
import type { LeftOut } from "./left-out.ts";
import type { PortableThread } from "./portable-thread.ts";

/** Exports threads to files and imports them. The code of each format is loaded on first use. */

export const EXPORT_FORMATS = ["json", "toml", "markdown", "git", "bundle"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Exports a thread in any format of one file. */
export async function exportThread(
  workspace: Workspace,
  thread: string,
  format: Exclude<ExportFormat, "git">,
  options: ExportOptions = {},
): Promise<Exported | Refusal> {
  const { at } = options;
  if (format === "bundle") return (await import("./write-bundle.ts")).writeBundle(workspace, thread, options);
  const { portableThread, threadJsonDocument } = await import("./portable-thread.ts");
  const document = workspace.store.read(thread, (history) =>
    portableThread(at === undefined ? history.state : history.stateAt(at)),
  );
  const text =
    format === "json"
      ? `${JSON.stringify(threadJsonDocument(document), null, 2)}\n`
      : format === "toml"
        ? (await import("./project-toml.ts")).projectToml(document)
        : (await import("./thread-markdown.ts")).threadMarkdown(document);
  return { bytes: Buffer.from(text) };
}

/** Exports the turns of the active take as commits of a repository in a new directory. */
export async function exportRepository(
  workspace: Workspace,
  thread: string,
  directory: string,
  at?: string,
): Promise<ExportedGit | Refusal> {
  return (await import("./export-git.ts")).exportGit(workspace, thread, directory, at);
}

export type Imported =
  | {
      readonly kind: "imported";
      readonly format: "json" | "toml" | "bundle";
      readonly threads: readonly string[];
      /** How many operations of a bundle were new. */
      readonly operations?: number;
      readonly left_out: readonly LeftOut[];
    }
  | { readonly kind: "unreadable"; readonly code: string; readonly message: string }
  | Refusal;

/** Imports a file of another Retake or of an older program; its content determines the format. */
export async function importFile(workspace: Workspace, bytes: Uint8Array): Promise<Imported> {
  if (isBundle(bytes)) return importBundleFile(workspace, bytes);
  const text = Buffer.from(bytes).toString("utf8");
  if (text.trimStart().startsWith("{")) return importJson(workspace, text);
  const { readProjectToml } = await import("./project-toml.ts");
  const read = readProjectToml(text);
  if (read.kind === "unreadable") return withFormats(read);
  return importDocuments(workspace, "toml", read.threads);
}

/** Judged by its first bytes. */
export function isBundle(bytes: Uint8Array): boolean {
  return ZSTD.every((byte, index) => bytes[index] === byte);
}

const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

async function importBundleFile(workspace: Workspace, bytes: Uint8Array): Promise<Imported> {
  const { BundleError } = await import("./bundle-error.ts");
  const { readTitle } = await import("./read-bundle.ts");
  try {
    if (readTitle(bytes).version === 1) return await importOldBundle(workspace, bytes);
    const { importBundle } = await import("./import-bundle.ts");
    const done = importBundle(workspace, bytes);
    if (isRefusal(done)) return done;
    const { thread, operations, left_out } = done;
    return { kind: "imported", format: "bundle", threads: [thread], operations, left_out };
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    return { kind: "unreadable", code: error.code, message: error.message };
  }
}

async function importOldBundle(workspace: Workspace, bytes: Uint8Array): Promise<Imported> {
  const { readBundle } = await import("./version-1/read-bundle.ts");
  const { importBundle } = await import("./version-1/import-bundle.ts");
  const done = importBundle(workspace, readBundle(bytes));
  return isRefusal(done)
    ? done
    : { kind: "imported", format: "bundle", threads: [done.thread], left_out: done.left_out };
}

async function importJson(workspace: Workspace, text: string): Promise<Imported> {
  const { readThreadDocument } = await import("./portable-thread.ts");
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const message = `This begins like JSON and is none (${(error as Error).message}). Nothing was changed.`;
    return withFormats({ kind: "unreadable", code: "malformed", message });
  }
  const { format } = json as { readonly format?: unknown };
  if (format === undefined)
    return withFormats({
      kind: "unreadable",
      code: "malformed",
      message: "This JSON is not a thread that Retake exported: it has no format. Nothing was changed.",
    });
  const read = readThreadDocument(json);
  if (read.kind === "unreadable") return withFormats(read);
  return importDocuments(workspace, "json", [read.value]);
}

/** Tells the user what could be imported instead. */
function withFormats(unreadable: Extract<Imported, { kind: "unreadable" }>): Imported {
  if (unreadable.code !== "malformed") return unreadable;
  const formats = "Retake imports what it exports as json, toml or bundle, and project files of older programs.";
  return { ...unreadable, message: `${unreadable.message} ${formats} Markdown is for reading only.` };
}

async function importDocuments(
  workspace: Workspace,
  format: "json" | "toml",
  documents: readonly PortableThread[],
): Promise<Imported> {
  const { importThreads } = await import("./import-thread.ts");
  const done = await importThreads(workspace, documents);
  return isRefusal(done) ? done : { kind: "imported", format, ...done };
}
