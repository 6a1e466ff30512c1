import { createHash } from "node:crypto";
import { isObject, type JsonObject } from "@retake/core";
import { broken } from "./bundle-error.ts";
import { FRAME_BYTES } from "./bundle-format.ts";
import { zstdFrames } from "./zstd-frames.ts";

/** The limit for a decompressed bundle. */
const LARGEST_BUNDLE = 4 * 1024 ** 3;

/**
 * The lines of a bundle except the last, which holds a hash of the others: reading to the end verifies the whole. A
 * line may be as long as the file itself, so a small file cannot demand much memory.
 */
export function* bundleLines(bytes: Uint8Array): Generator<JsonObject> {
  const longestLine = 16 * 1024 ** 2 + 64 * bytes.length;
  const hash = createHash("sha256");
  let ended = false;
  for (const line of splitLines(bytes, longestLine)) {
    if (ended) throw broken("it goes on after its end");
    const json = parse(line);
    ended = json["kind"] === "end";
    if (!ended) {
      hash.update(line).update("\n");
      yield json;
    } else if (json["hash"] !== hash.digest("hex")) throw broken("it is cut off or was changed");
  }
  if (!ended) throw broken("it is cut off");
}

function* splitLines(bytes: Uint8Array, longest: number): Generator<Buffer> {
  let open: Buffer[] = [];
  let [length, total] = [0, 0];
  for (const frame of zstdFrames(bytes, FRAME_BYTES)) {
    total += frame.length;
    if (total > LARGEST_BUNDLE) throw broken(`it holds more than ${LARGEST_BUNDLE} bytes`);
    let start = 0;
    for (let end = frame.indexOf(10); end !== -1; end = frame.indexOf(10, start)) {
      const rest = frame.subarray(start, end);
      yield open.length === 0 ? rest : Buffer.concat([...open, rest]);
      [open, length, start] = [[], 0, end + 1];
    }
    if (start === frame.length) continue;
    open.push(frame.subarray(start));
    length += frame.length - start;
    if (length > longest) throw broken("a line of it is longer than can be");
  }
  if (open.length > 0) throw broken("it is cut off");
}

function parse(line: Buffer): JsonObject {
  try {
    const value: unknown = JSON.parse(line.toString("utf8"));
    if (isObject(value)) return value;
  } catch {
    // Reported below, as for a line that is not an object.
  }
  throw broken("a line of it is no JSON object");
}
