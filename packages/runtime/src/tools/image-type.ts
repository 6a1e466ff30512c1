import type { ImageType } from "../store/image-files.ts";

/**
 * The strictest provider's limit: Anthropic accepts 5 MB of base64 an image.
 */
export const LARGEST_IMAGE = 3_750_000;

/** The same provider's limit for the longer side, in pixels. */
export const LONGEST_SIDE = 8000;

/** Determined by its first bytes: providers refuse an image of another type than declared. */
export function mediaType(data: Buffer): ImageType | undefined {
  const begins = data.subarray(0, 12).toString("latin1");
  if (begins.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (begins.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(begins)) return "image/gif";
  return /^RIFF[\s\S]{4}WEBP/.test(begins) ? "image/webp" : undefined;
}
