import { createHash } from "node:crypto";
import type { Hash } from "./model.ts";

/** The id of an object in git's SHA-256 format: a hash of a header and the content. */
export function objectId(type: "blob" | "tree", content: Uint8Array): Hash {
  return createHash("sha256").update(`${type} ${content.byteLength}\0`, "latin1").update(content).digest("hex");
}
