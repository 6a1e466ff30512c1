import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { activeTake, branch, entries, isRefusal } from "@retake/core";
import { type Examined, examine } from "../../doctor/examine.ts";
import { scriptedModel } from "../../model/scripted-model.ts";
import { directories } from "../../store/directories.ts";
import { TOOLS } from "../../tools/tools.ts";
import { openStoreAndWorkspace, type Workspace } from "../../workspace/open-workspace.ts";
import { exportThread, type Imported, importFile } from "../exchange.ts";
import type { Exported, ExportOptions } from "../held-back.ts";
import { zstdFrames } from "../zstd-frames.ts";

/** Machines that exchange bundles: each a store and a workspace of its own. */
export class BundlePlaces {
  readonly #folder = mkdtempSync(join(tmpdir(), "retake-bundles-"));
  readonly #open: Workspace[] = [];

  /** `device`: the machine that it claims to be. */
  open(name: string, device?: string): BundlePlace {
    const root = join(this.#folder, name, "work");
    mkdirSync(root, { recursive: true });
    mkdirSync(join(this.#folder, name, "data"), { recursive: true, mode: 0o700 });
    if (device !== undefined) writeFileSync(join(this.#folder, name, "data", "device"), device);
    const options = { directories: directories({ RETAKE_HOME: join(this.#folder, name) }), root, version: "0" };
    const workspace = openStoreAndWorkspace(options);
    this.#open.push(workspace);
    return new BundlePlace(workspace, () => examine(options));
  }

  async close(): Promise<void> {
    for (const workspace of this.#open) await workspace.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export class BundlePlace {
  readonly workspace: Workspace;
  readonly examine: () => Examined;

  constructor(workspace: Workspace, examined: () => Examined) {
    this.workspace = workspace;
    this.examine = examined;
  }

  /** A thread of two turns that write, replace and link files, with a second take, and its bundle. */
  async exampleThread(): Promise<{ thread: string; middle: string; bundle: Buffer }> {
    const { workspace } = this;
    writeFileSync(join(workspace.root, "before"), "there before");
    const thread = await workspace.newThread("login");
    await this.say(thread, "write a.txt: one\\n");
    const middle = this.head(thread);
    await this.say(thread, "run mkdir -p d; printf two > d/b.txt; chmod 755 d/b.txt; ln -s a.txt link; rm a.txt");
    const first = workspace.store.read(thread, ({ state }) => [...entries(state, activeTake(state))][0]?.id ?? "");
    await workspace.changeWithFiles(thread, (history, context) =>
      branch(history, context, { entry: first, take: "second" }),
    );
    return { thread, middle, bundle: await this.bundle(thread) };
  }

  /** A turn of the scripted model, by which all is approved. */
  async say(thread: string, prompt: string): Promise<void> {
    const watch = { approve: async () => "deny" as const, onEvent: () => {}, signal: new AbortController().signal };
    const ended = await this.workspace.run({
      thread,
      prompt,
      model: scriptedModel(),
      tools: TOOLS,
      mode: "all" as const,
      ...watch,
    });
    if (!("status" in ended) || ended.status !== "finished") throw new Error(JSON.stringify(ended));
  }

  async bundle(thread: string, at?: string): Promise<Buffer> {
    return (await this.export(thread, { at })).bytes;
  }

  async export(thread: string, options: ExportOptions): Promise<Exported> {
    const done = await exportThread(this.workspace, thread, "bundle", options);
    if (isRefusal(done)) throw new Error(done.message);
    return done;
  }

  import(bytes: Uint8Array): Promise<Imported> {
    return importFile(this.workspace, bytes);
  }

  head(thread: string): string {
    return this.workspace.store.read(thread, ({ state }) => state.head ?? "");
  }
}

export type Line = Record<string, unknown>;

/** The lines of one kind. */
export function linesOfKind(lines: readonly Line[], kind: string): Line[] {
  return lines.filter((line) => line["kind"] === kind);
}

export function linesOf(bundle: Uint8Array): Line[] {
  const text = Buffer.concat([...zstdFrames(bundle, 2 ** 30)]).toString();
  const lines = text.trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Line);
}

/** A bundle whose lines were changed, with an end that fits them unless it is given. */
export function forged(bundle: Uint8Array, change: (lines: Line[]) => unknown, end?: string): Buffer {
  const lines = linesOf(bundle).slice(0, -1);
  change(lines);
  const body = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
  const hash = end ?? createHash("sha256").update(body).digest("hex");
  return zstdCompressSync(Buffer.from(`${body}${JSON.stringify({ kind: "end", hash })}\n`));
}
