import { readFileSync, statSync } from "node:fs";
import { pathsIn, type State, type TakeId } from "@retake/core";
import type { RequestInput } from "./model-request.ts";
import type { OutsideFiles } from "./outside-files.ts";
import { readImages } from "./read-images.ts";

/**
 * What a request takes from the workspace: its instructions, and the context files and screenshots of a take. A file
 * outside the workspace is read only with the user's approval.
 */
export function readContext(state: State, take: TakeId, outside: OutsideFiles): Context {
  const paths = (list: "context" | "screenshot") => pathsIn(state, take, list).map(({ path }) => path);
  const screenshots = paths("screenshot");
  const { parts, bytes } = readImages(outside, screenshots);
  const instructions = readText(outside.find(INSTRUCTIONS));
  const files = paths("context")
    .filter((path) => path !== INSTRUCTIONS || instructions === undefined)
    .map((path) => {
      const file = outside.find(path);
      const text = file === undefined ? "(not sent: it lies outside the workspace)" : readText(file);
      return { path, text: text ?? "(cannot be read)" };
    });
  const add = (path: string) => `retake context add ${path} --outside`;
  return {
    input: { ...(instructions === undefined ? {} : { instructions }), files, images: parts },
    images: bytes,
    notices: [
      ...[INSTRUCTIONS, ...paths("context")].map((path) => ({ path, yes: add(path) })),
      ...screenshots.map((path) => ({ path, yes: "retake settings screenshots <paths> --outside" })),
    ]
      .filter(({ path }, index, all) => all.findIndex((each) => each.path === path) === index)
      .filter(({ path }) => outside.find(path) === undefined)
      .map(({ path, yes }) => `${path} leads out of the workspace and was not sent to the model. To send it: ${yes}`),
  };
}

const INSTRUCTIONS = "AGENTS.md";

interface Context {
  readonly input: Pick<RequestInput, "instructions" | "files" | "images">;
  /** The bytes of the images, by digest. */
  readonly images: ReadonlyMap<string, Uint8Array>;
  /** Files that were not sent, in words for the user. */
  readonly notices: readonly string[];
}

/** Longer texts are neither instructions nor context that fits a request. */
const LONGEST = 256 * 1024;

function readText(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    const stats = statSync(path);
    // Reading a FIFO would wait for ever.
    return stats.isFile() && stats.size <= LONGEST ? readFileSync(path, "utf8").toWellFormed() : undefined;
  } catch {
    return undefined;
  }
}
