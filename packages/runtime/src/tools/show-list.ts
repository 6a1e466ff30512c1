import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { count } from "./cut-text.ts";
import type { ToolRun } from "./tool.ts";

/**
 * The part of a list that the model is shown; a longer list is also kept whole. `total`: its length if it was cut
 * before.
 */
export async function showList(lines: readonly string[], noun: string, run: ToolRun, total = lines.length) {
  let room = MOST_CHARACTERS;
  const shown: string[] = [];
  for (const line of lines) {
    room -= line.length + 1;
    if (shown.length === MOST_LINES || room < 0) break;
    shown.push(line);
  }
  const more = total - shown.length;
  if (more === 0) return shown.join("\n");
  await keepWhole(`${lines.join("\n")}\n`, run);
  const note = `(${count(more, `more ${noun}`)}: narrow the search, or read ${run.overflow} from offset ${shown.length + 1}.)`;
  return [...shown, note].join("\n");
}

const MOST_LINES = 250;
const MOST_CHARACTERS = 30_000;

async function keepWhole(text: string, { overflow, signal }: ToolRun): Promise<void> {
  await mkdir(dirname(overflow), { recursive: true, mode: 0o700 });
  await writeFile(overflow, text, { mode: 0o600, signal });
}
