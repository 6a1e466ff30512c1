import { readFile, stat } from "node:fs/promises";
import { textHunks } from "@retake/workspace";

/**
 * The effect of a change on a file, for the question about it: each place with its removed and added lines. Undefined
 * where that cannot be shown as text, or the file is too large to compare.
 */
export async function previewChange(
  path: string,
  change: (before: Buffer) => Uint8Array | undefined,
): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found && (!found.isFile() || found.size > LARGEST_FILE)) return undefined;
  const before = found ? await readFile(path) : Buffer.alloc(0);
  const after = change(before);
  if (after === undefined || after.length > LARGEST_FILE) return undefined;
  const lines = changedLines(before, Buffer.from(after));
  return lines && [`${path}${found ? "" : " (new)"}`, ...lines].join("\n");
}

/** Each place with the lines that go and those that come; undefined where they cannot be shown as text. */
export function changedLines(before: Buffer, after: Buffer): string[] | undefined {
  return textHunks(before, after)?.flatMap(({ before: old, after: now }) => [
    `@@ line ${now.start + 1} @@`,
    ...old.lines.map((line) => `-${line.replace(/\r?\n$/, "")}`),
    ...now.lines.map((line) => `+${line.replace(/\r?\n$/, "")}`),
  ]);
}

const LARGEST_FILE = 1024 * 1024;
