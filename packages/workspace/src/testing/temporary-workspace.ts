import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach } from "vitest";
import { type FilesOptions, openFiles, type WorkspaceFiles } from "../open-files.ts";

/** A workspace and a store directory, both removed after the test, with everything closed that was opened. */
export function temporaryWorkspaces(): () => TemporaryWorkspace {
  const made: TemporaryWorkspace[] = [];
  afterEach(async () => {
    for (const each of made.splice(0)) await each.remove();
  });
  return () => {
    const workspace = new TemporaryWorkspace();
    made.push(workspace);
    return workspace;
  };
}

export class TemporaryWorkspace {
  readonly home = mkdtempSync(join(tmpdir(), "retake-workspace-"));
  readonly root = join(this.home, "work");
  readonly store = join(this.home, "store");
  readonly #open: WorkspaceFiles[] = [];

  constructor() {
    mkdirSync(this.root);
  }

  open(options: Partial<FilesOptions> = {}): WorkspaceFiles {
    const workspace = openFiles({ root: this.root, store: this.store, caches: [], watch: false, ...options });
    this.#open.push(workspace);
    return workspace;
  }

  path(name: string): string {
    return join(this.root, name);
  }

  write(name: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
  }

  async close(workspace: WorkspaceFiles): Promise<void> {
    this.#open.splice(this.#open.indexOf(workspace), 1);
    await workspace.close();
  }

  async remove(): Promise<void> {
    for (const workspace of this.#open.splice(0)) await workspace.close();
    rmSync(this.home, { recursive: true });
  }
}
