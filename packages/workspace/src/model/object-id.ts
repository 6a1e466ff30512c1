import { hash as digest } from "node:crypto";
import type { Hash } from "./model.ts";

/** The id git gives an object in its SHA-256 format: over a header and the content. */
export function objectId(type: "blob" | "tree", content: Uint8Array): Hash {
  const header = Buffer.from(`${type} ${content.byteLength}\0`, "latin1");
  return digest("sha256", Buffer.concat([header, content]), "hex");
}
