import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CaptureTree } from "../../capture/capture-tree.ts";
import { connect } from "../../database/connect.ts";
import type { Database } from "../../database/database.ts";
import { fileSchema } from "../../file-schema.ts";
import type { BytePath, FileState } from "../../model/model.ts";
import { diskPath } from "../../model/path-bytes.ts";
import { ObjectStore } from "../../objects/object-store.ts";
import type { RestoreRequest } from "../plan-restore.ts";
import type { RestoreContext } from "../restore-context.ts";
import { dryRun, type RestoreResult, restoreFiles } from "../restore-files.ts";
import { lockWorkspace, type WorkspaceLock } from "../workspace-lock.ts";

/** A workspace and a store in a temporary directory, with the simplest possible capture. */
export class Sandbox {
  readonly directory: string;
  readonly root: string;
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly lock: WorkspaceLock;

  constructor(directory = mkdtempSync(join(tmpdir(), "retake-restore-"))) {
    this.directory = directory;
    this.root = join(directory, "workspace");
    const state = join(directory, "state");
    for (const path of [this.root, state]) mkdirSync(path, { recursive: true });
    this.database = connect(join(state, "store.sqlite"), fileSchema);
    this.database.run("CREATE TABLE IF NOT EXISTS test_commits (id INTEGER)");
    this.objects = new ObjectStore(this.database, join(state, "packs"));
    const lock = lockWorkspace(state, this.root);
    if (!lock) throw new Error("the sandbox is locked by another process");
    this.lock = lock;
  }

  get context(): RestoreContext {
    const { root, database, objects, lock, directory } = this;
    return { root, database, objects, lock, tag: "test", leftovers: join(directory, "state", "leftovers") };
  }

  path(path: BytePath): string | Buffer {
    return diskPath(this.root, path);
  }

  write(path: BytePath, content: string | Buffer, mode?: number): void {
    mkdirSync(this.path(dirname(path)), { recursive: true });
    writeFileSync(this.path(path), content);
    if (mode !== undefined) chmodSync(this.path(path), mode);
  }

  link(path: BytePath, target: string): void {
    mkdirSync(this.path(dirname(path)), { recursive: true });
    symlinkSync(target, this.path(path));
  }

  read(path: BytePath): string {
    return readFileSync(this.path(path), "utf8");
  }

  remove(path: BytePath): void {
    rmSync(this.path(path), { recursive: true });
  }

  /** Every file, link and empty directory, with content stored as objects. */
  capture(): CaptureTree {
    const states = new Map<BytePath, FileState>();
    this.#walk("", states);
    this.objects.flush();
    return new CaptureTree(states);
  }

  async restore(request: RestoreRequest) {
    return whenFlushed(await restoreFiles(this.context, request, () => "committed"));
  }

  dryRun(request: RestoreRequest) {
    return dryRun(this.root, this.objects, request);
  }

  /** Stands for the caller's writes in the commit: the operation, the head, the outbox. */
  recordCommit(): void {
    this.database.run("INSERT INTO test_commits VALUES (1)");
  }

  get committed(): boolean {
    return this.database.prepare("SELECT 1 FROM test_commits").get() !== undefined;
  }

  /** Ends like a process: only the files stay. */
  close(): void {
    this.lock.release();
    this.objects.close();
    this.database.close();
  }

  dispose(): void {
    this.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  #walk(directory: BytePath, states: Map<BytePath, FileState>): void {
    const names = readdirSync(this.path(directory), { encoding: "buffer" }).map((name) => name.toString("latin1"));
    for (const name of names) {
      const path = directory ? `${directory}/${name}` : name;
      const stats = lstatSync(this.path(path));
      if (stats.isSymbolicLink()) {
        const target = readlinkSync(this.path(path), { encoding: "buffer" });
        states.set(path, { kind: "link", hash: this.objects.write(target), size: target.length });
      } else if (stats.isFile()) {
        const content = readFileSync(this.path(path));
        const hash = this.objects.write(content);
        states.set(path, { kind: "file", hash, size: content.length, mode: stats.mode & 0o7777 });
      } else if (stats.isDirectory()) {
        if (readdirSync(this.path(path), { encoding: "buffer" }).length > 0) this.#walk(path, states);
        else states.set(path, { kind: "directory", mode: stats.mode & 0o7777 });
      }
    }
  }
}

/** A tree as plain data, for comparing. */
export function listing(tree: CaptureTree): Record<BytePath, FileState> {
  return Object.fromEntries(tree.entries());
}

/** The result of a restore after everything is flushed. */
export async function whenFlushed<T>(result: RestoreResult<T>) {
  if (result.kind === "refused") return result;
  const { flushed, ...restored } = result;
  await flushed;
  return restored;
}
