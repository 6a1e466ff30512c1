/**
 * A thread names files that every request sends to the model. These names may come from anywhere: an import, an undo, a
 * link that was changed later. So a file outside the workspace, or in its `.git`, is sent only if the user of this
 * machine has approved the real path. Approvals are stored on the machine, one file each, and are in no thread's log.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Refusal, refuse } from "@retake/core";
import type { Directories } from "../store/directories.ts";
import { ImageFiles } from "../store/image-files.ts";
import { locatePath } from "../tools/locate-path.ts";

export class OutsideFiles {
  readonly #directory: string;
  readonly #images: ImageFiles;
  readonly #root: string;

  /** `state` is for data that may be lost: without an approval, a file is reported and not sent. */
  constructor({ state, data }: Pick<Directories, "state" | "data">, root: string) {
    this.#directory = join(state, "outside");
    this.#images = new ImageFiles(data);
    this.#root = root;
  }

  /** The real path of a file; undefined when it may not be sent. */
  find(path: string): string | undefined {
    const image = this.#images.find(path);
    if (image !== undefined) return image;
    const { absolute, place } = locatePath(path, { root: this.#root });
    return place === "workspace" || existsSync(this.#file(absolute)) ? absolute : undefined;
  }

  isOutside(path: string): boolean {
    return locatePath(path, { root: this.#root }).place !== "workspace";
  }

  /** Why paths may not be sent without the user's approval. */
  refusal(paths: readonly string[]): Refusal | undefined {
    const path = paths.find((each) => this.find(each) === undefined);
    if (path === undefined) return undefined;
    const { absolute } = locatePath(path, { root: this.#root });
    return refuse(
      "invalid-input",
      `${path} leads out of the workspace, to ${absolute}, and would be sent to the model with every request. Nothing was changed. If that is meant, add it with --outside (over HTTP: "outside": true).`,
      { outside: absolute },
    );
  }

  allow(path: string): void {
    if (!this.isOutside(path)) return;
    const { absolute } = locatePath(path, { root: this.#root });
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    writeFileSync(this.#file(absolute), `${this.#root}\n${absolute}\n`, { mode: 0o600 });
  }

  forget(path: string): void {
    rmSync(this.#file(locatePath(path, { root: this.#root }).absolute), { force: true });
  }

  #file(absolute: string): string {
    const name = createHash("sha256").update(`${this.#root}\0${absolute}`).digest("hex");
    return join(this.#directory, name);
  }
}
