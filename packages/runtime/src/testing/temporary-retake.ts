import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { directories } from "../directories.ts";
import { scriptedModel } from "../model/scripted-model.ts";
import { openRetake, type Retake } from "../open-retake.ts";
import type { TurnEvent, TurnResult } from "../runner/turn.ts";
import { tools } from "../tools/tools.ts";

/** A store and a workspace of their own, in which the scripted model works with the real tools. */
export class TemporaryRetake {
  readonly #folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-whole-")));
  readonly root = join(this.#folder, "work");
  readonly retake: Retake;

  constructor() {
    mkdirSync(this.root);
    const home = join(this.#folder, "home");
    this.retake = openRetake({ directories: directories({ RETAKE_HOME: home }), root: this.root, version: "0" });
  }

  write(path: string, content: string): void {
    writeFileSync(join(this.root, path), content);
  }

  /** A turn that must finish; what is asked about is allowed. */
  async turn(thread: string, prompt: string, onEvent: (event: TurnEvent) => void = () => {}): Promise<TurnResult> {
    const result = await this.retake.run({
      ...{ thread, prompt, tools, onEvent, model: scriptedModel(), approveAll: true },
      approve: async () => "allow",
      signal: new AbortController().signal,
    });
    if (!("status" in result) || result.status !== "finished") throw new Error(JSON.stringify(result));
    return result;
  }

  async remove(): Promise<void> {
    await this.retake.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
