import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { directories } from "../../directories.ts";
import { scriptedModel } from "../../model/scripted-model.ts";
import { openRetake, type Retake } from "../../open-retake.ts";
import { tools } from "../../tools/tools.ts";

/** A workspace of its own that several threads work in, with the real tools. */
export class SharedWorkspace {
  readonly #folder = mkdtempSync(join(tmpdir(), "retake-shared-"));
  readonly root = join(this.#folder, "work");
  readonly retake: Retake;

  constructor() {
    mkdirSync(this.root);
    this.retake = this.open();
  }

  /** Retake as another process would open it. */
  open(): Retake {
    const places = directories({ RETAKE_HOME: join(this.#folder, "home") });
    return openRetake({ directories: places, root: this.root, version: "0" });
  }

  async turn(thread: string, prompt: string): Promise<void> {
    const done = await this.retake.run({
      ...{ thread, prompt, tools, model: scriptedModel(), approveAll: true },
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
    await this.retake.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
