import type { ActionAnswer } from "@retake/runtime/actions";
import type { Output } from "./output.ts";

/** A file that differs, as an action answers it. */
type DiffedFile = ActionAnswer<"diffThread">["files"][number];

/** Files that differ, as a patch that git and `patch` can apply, with colours where there is a terminal. */
export function* patchLines(output: Output, files: readonly DiffedFile[]): Iterable<string> {
  for (const file of files) {
    if (!isInPatch(file)) {
      yield output.style("dim", `# ${aside(file)}`);
      continue;
    }
    yield* headerOf(file).map((line) => output.style("bold", line));
    for (const hunk of file.hunks ?? []) {
      const range = `@@ -${side(hunk.old_start, hunk.old_lines)} +${side(hunk.new_start, hunk.new_lines)} @@`;
      // The text after a range is for people: `revert --hunk` takes these numbers.
      yield output.style("cyan", `${range} ${hunk.edits.map((edit) => `#${edit}`).join(" ")}`);
      for (const line of hunk.lines) yield coloured(output, line);
    }
  }
}

/** Only files have content that a patch can speak of. */
function isInPatch({ status, old_mode, new_mode }: DiffedFile): boolean {
  return status !== "uncovered" && status !== "type" && (old_mode ?? new_mode) !== undefined;
}

function aside({ path, status }: DiffedFile): string {
  if (status === "uncovered") return `${path}: left out of one of the captures, so what changed is not known`;
  return status === "type" ? `${path} is now something else than it was` : `${status} empty directory ${path}`;
}

function headerOf(file: DiffedFile): string[] {
  const { path, old_path = path, status, old_mode, new_mode, binary, hunks = [] } = file;
  const [a, b] = [quoted(`a/${old_path}`), quoted(`b/${path}`)];
  const lines = [`diff --git ${a} ${b}`];
  if (status === "added") lines.push(`new file mode ${new_mode}`);
  if (status === "removed") lines.push(`deleted file mode ${old_mode}`);
  if (old_mode && new_mode && old_mode !== new_mode) lines.push(`old mode ${old_mode}`, `new mode ${new_mode}`);
  if (status === "renamed")
    lines.push("similarity index 100%", `rename from ${quoted(old_path)}`, `rename to ${quoted(path)}`);
  const [from, to] = [status === "added" ? "/dev/null" : a, status === "removed" ? "/dev/null" : b];
  if (binary) lines.push(`Binary files ${from} and ${to} differ`);
  else if (hunks.length > 0) lines.push(`--- ${from}`, `+++ ${to}`);
  return lines;
}

/** A single line is named without how many there are. */
function side(start: number, lines: number): string {
  return lines === 1 ? String(start) : `${start},${lines}`;
}

/** A line of a patch in the colour of its sign. */
export function coloured(output: Output, line: string): string {
  if (line.startsWith("+")) return output.style("green", line);
  if (line.startsWith("-")) return output.style("red", line);
  return line.startsWith("\\") ? output.style("dim", line) : line;
}

/** As git writes names that would break a line. */
function quoted(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (!/["\\\x00-\x1f\x7f]/.test(path)) return path;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  return `"${path.replace(/["\\\x00-\x1f\x7f]/g, (character) => ESCAPES[character] ?? `\\${octal(character)}`)}"`;
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r" };

function octal(character: string): string {
  return character.charCodeAt(0).toString(8).padStart(3, "0");
}
