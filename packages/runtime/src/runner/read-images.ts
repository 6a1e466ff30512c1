import { readFileSync, statSync } from "node:fs";
import type { Attachment } from "@retake/core";
import type { Attachments } from "../store/attachments.ts";
import { longerSide } from "../tools/image-size.ts";
import { LARGEST_IMAGE, LONGEST_SIDE, mediaType } from "../tools/image-type.ts";
import { sha256 } from "./model-request.ts";
import type { OutsideFiles } from "./outside-files.ts";

/**
 * The screenshots of a thread as they are sent to a model (S2). A screenshot that cannot be sent is still named,
 * with the reason: neither the user nor the model should believe that it was seen.
 */
export function readImages(outside: OutsideFiles, paths: readonly string[], attachments: Attachments): Attachment[] {
  return paths.map((name, index): Attachment => {
    const read =
      index < MOST_IMAGES
        ? readImage(outside.find(name))
        : { problem: `only the first ${MOST_IMAGES} images are sent` };
    const { problem } = read;
    if (problem !== undefined) return { kind: "screenshot", name, digest: sha256(problem), problem };
    return { kind: "screenshot", name, digest: attachments.put(read.data), media_type: read.media_type };
  });
}

/** Anthropic accepts more images in one request only if they are small. */
export const MOST_IMAGES = 20;

export function readImage(
  file: string | undefined,
):
  | { readonly media_type: string; readonly data: Uint8Array; readonly problem?: undefined }
  | { readonly problem: string } {
  if (file === undefined) return { problem: "it lies outside the workspace" };
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return { problem: "it is not a file" };
    if (stats.size > LARGEST_IMAGE) return { problem: `it is larger than ${LARGEST_IMAGE / 1e6} MB` };
    const data = readFileSync(file);
    const media_type = mediaType(data);
    if ((longerSide(data) ?? 0) > LONGEST_SIDE)
      return { problem: `one of its sides has more than ${LONGEST_SIDE} pixels` };
    return media_type === undefined ? { problem: "it is no PNG, JPEG, GIF or WebP image" } : { media_type, data };
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    return { problem: missing ? "there is no such file" : "it cannot be read" };
  }
}
