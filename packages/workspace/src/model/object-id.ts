import { hash as digest } from "node:crypto";
import type { Hash } from "./model.ts";

/** The id of an object in git's SHA-256 format: a hash of a header and the content. */
export function objectId(type: "blob" | "tree", content: Uint8Array): Hash {
  const header = Buffer.from(`${type} ${content.byteLength}\0`, "latin1");
  return digest("sha256", Buffer.concat([header, content]), "hex");
}
