import { zstdDecompressSync } from "node:zlib";
import { broken } from "./bundle-error.ts";

/**
 * The contents of consecutive zstd frames, one at a time. The headers of a frame's blocks tell where it ends, so that
 * bytes after the last frame are detected. `largest` bounds each frame's content, so no file can demand more memory
 * than that.
 */
export function* zstdFrames(bytes: Uint8Array, largest: number): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const end = frameEnd(bytes, start);
    yield decompress(bytes.subarray(start, end), largest);
    start = end;
  }
}

function decompress(frame: Uint8Array, largest: number): Buffer {
  try {
    return zstdDecompressSync(frame, { maxOutputLength: largest });
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: string };
    const isTooLarge = code === "ERR_BUFFER_TOO_LARGE";
    throw broken(isTooLarge ? `a part of it unpacks to more than ${largest / 1024 ** 2} MiB` : message);
  }
}

const MAGIC = 0xfd2fb528;
const DICTIONARY_BYTES = [0, 1, 2, 4];
const SIZE_BYTES = [0, 2, 4, 8];
const RLE = 1;

/** RFC 8878, 3.1.1. */
function frameEnd(bytes: Uint8Array, start: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const cut = broken("it is cut off, or goes on after its end");
  if (start + 5 > bytes.length || view.getUint32(start, true) !== MAGIC) throw cut;
  const descriptor = view.getUint8(start + 4);
  const single = (descriptor & 0x20) !== 0;
  const size = SIZE_BYTES[descriptor >> 6] || (single ? 1 : 0);
  let at = start + 5 + (single ? 0 : 1) + (DICTIONARY_BYTES[descriptor & 3] ?? 0) + size;
  for (let last = false; !last; ) {
    if (at + 3 > bytes.length) throw cut;
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    last = (header & 1) !== 0;
    at += 3 + (((header >> 1) & 3) === RLE ? 1 : header >> 3);
  }
  const end = at + ((descriptor & 4) !== 0 ? 4 : 0);
  if (end > bytes.length) throw cut;
  return end;
}
