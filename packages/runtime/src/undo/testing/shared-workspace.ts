import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptedModel } from "../../model/scripted-model.ts";
import { directories } from "../../store/directories.ts";
import { TOOLS } from "../../tools/tools.ts";
import { openStoreAndWorkspace, type Workspace } from "../../workspace/open-workspace.ts";

/** A workspace of its own that several threads work in, with the real tools. */
export class SharedWorkspace {
  readonly #folder = mkdtempSync(join(tmpdir(), "retake-shared-"));
  readonly root = join(this.#folder, "work");
  readonly workspace: Workspace;

  constructor() {
    mkdirSync(this.root);
    this.workspace = this.open();
  }

  /** Retake as another process would open it. */
  open(): Workspace {
    const places = directories({ RETAKE_HOME: join(this.#folder, "home") });
    return openStoreAndWorkspace({ directories: places, root: this.root, version: "0" });
  }

  async turn(thread: string, prompt: string): Promise<void> {
    const done = await this.workspace.run({
      thread,
      prompt,
      tools: TOOLS,
      model: scriptedModel(),
      mode: "all" as const,
      approve: async () => "deny",
      onEvent: () => {},
      signal: new AbortController().signal,
    });
    if (!("status" in done) || done.status !== "finished") throw new Error(JSON.stringify(done));
  }

  read(path: string): string | undefined {
    const file = join(this.root, path);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  }

  write(path: string, content: string): void {
    writeFileSync(join(this.root, path), content);
  }

  async remove(): Promise<void> {
    await this.workspace.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
