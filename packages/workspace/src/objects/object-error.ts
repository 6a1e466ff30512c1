import type { BytePath, Hash } from "../model/model.ts";
import { showPath } from "../model/path-bytes.ts";

/** An object is missing or damaged. Its file on disk is neither written nor deleted. */
export class ObjectError extends Error {
  readonly code: "missing" | "damaged";
  readonly hash: Hash;
  readonly path: BytePath;

  constructor(code: ObjectError["code"], hash: Hash, path: BytePath, options?: ErrorOptions) {
    const what = code === "missing" ? "is missing from the store" : "is damaged in the store";
    super(
      `The saved content of '${showPath(path)}' ${what} (${hash.slice(0, 12)}). ` +
        "The file was left as it is. `retake doctor` lists everything the store lost.",
      options,
    );
    this.name = "ObjectError";
    this.code = code;
    this.hash = hash;
    this.path = path;
  }
}
