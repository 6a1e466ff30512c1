import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathsIn, type State, type TakeId } from "@retake/core";
import type { RequestInput } from "./model-request.ts";
import { readImages } from "./read-images.ts";

/** What a request takes from the workspace: its instructions, the context files and the screenshots of a take. */
export function readContext(state: State, take: TakeId, root: string): Context {
  const { parts, bytes } = readImages(
    root,
    pathsIn(state, take, "screenshot").map(({ path }) => path),
  );
  const instructions = readText(join(root, "AGENTS.md"));
  const files = pathsIn(state, take, "context").map(({ path }) => ({
    path,
    text: readText(join(root, path)) ?? "(cannot be read)",
  }));
  return {
    input: { ...(instructions === undefined ? {} : { instructions }), files, images: parts },
    images: bytes,
  };
}

interface Context {
  readonly input: Pick<RequestInput, "instructions" | "files" | "images">;
  /** The bytes of the images, by digest. */
  readonly images: ReadonlyMap<string, Uint8Array>;
}

/** Longer texts are not instructions, nor context that fits a request. */
const LONGEST = 256 * 1024;

function readText(path: string): string | undefined {
  try {
    return statSync(path).size > LONGEST ? undefined : readFileSync(path, "utf8").toWellFormed();
  } catch {
    return undefined;
  }
}
