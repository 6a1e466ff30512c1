import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptedModel } from "../model/scripted-model.ts";
import type { TurnEvent, TurnResult } from "../runner/turn.ts";
import { directories } from "../store/directories.ts";
import { TOOLS } from "../tools/tools.ts";
import { openStoreAndWorkspace, type Workspace } from "../workspace/open-workspace.ts";

/** A store and a workspace of their own, in which the scripted model works with the real tools. */
export class TemporaryRetake {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-whole-")));
  readonly root = join(this.#folder, "work");
  readonly workspace: Workspace;

  constructor(now: () => number = Date.now) {
    mkdirSync(this.root);
    const home = join(this.#folder, "home");
    this.workspace = openStoreAndWorkspace({
      directories: directories({ RETAKE_HOME: home }),
      root: this.root,
      version: "0",
      now,
    });
  }

  write(path: string, content: string): void {
    writeFileSync(join(this.root, path), content);
  }

  /** A turn that must finish; every question is answered with allow. */
  async turn(thread: string, prompt: string, onEvent: (event: TurnEvent) => void = () => {}): Promise<TurnResult> {
    const result = await this.workspace.run({
      thread,
      prompt,
      tools: TOOLS,
      onEvent,
      model: scriptedModel(),
      mode: "all" as const,
      approve: async () => "allow",
      signal: new AbortController().signal,
    });
    if (!("status" in result) || result.status !== "finished") throw new Error(JSON.stringify(result));
    return result;
  }

  async remove(): Promise<void> {
    await this.workspace.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
