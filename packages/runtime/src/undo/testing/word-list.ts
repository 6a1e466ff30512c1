import type { SharedWorkspace } from "./shared-workspace.ts";

const LINES = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/** A list with some lines replaced; so far apart that changes of two of them merge. */
export function text(lines: Readonly<Record<number, string>>): string {
  return LINES.map((line) => `${lines[Number(line)] ?? line}\n-\n-\n`).join("");
}

/** A turn that replaces one line of the list. */
export function putLine(shared: SharedWorkspace, thread: string, line: number, word: string): Promise<void> {
  return shared.turn(thread, `run sed -i '${(line - 1) * 3 + 1}s/.*/${word}/' list.txt`);
}
