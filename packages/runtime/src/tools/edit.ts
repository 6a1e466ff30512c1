import { type BigIntStats, constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import { stringIn } from "./check-input.ts";
import { count, cutText } from "./cut-text.ts";
import { completed, defineTool, failed } from "./define-tool.ts";
import { factsOfWriting } from "./facts-of-writing.ts";
import { findNearestLines } from "./find-nearest-lines.ts";
import { explainMissing } from "./find-similar-names.ts";
import { type Located, locatePath, strayed } from "./locate-path.ts";
import { pathField, pathProblemIn } from "./path-field.ts";
import { previewChange } from "./preview-change.ts";
import { replaceFile } from "./replace-file.ts";
import { replaceText } from "./replace-text.ts";
import { isBinary, textEncoding } from "./text-encoding.ts";
import type { ToolEnd, ToolRun } from "./tool.ts";

/** Replaces a text in a file that holds it exactly once, or every time it does. */
export const edit = defineTool({
  name: "edit",
  onlyReplaces: true,
  description:
    "Replaces old_text by new_text in a file. old_text must be copied exactly, without line numbers, and occur once, or replace_all be true. Line ends are kept.",
  input: {
    type: "object",
    properties: {
      path: pathField,
      old_text: { type: "string", minLength: 1, description: "What is there now, with enough around it to be unique." },
      new_text: { type: "string", description: "What is to be there instead; empty to delete." },
      replace_all: { type: "boolean", description: "Replace every occurrence." },
    },
    required: ["path", "old_text", "new_text"],
    additionalProperties: false,
  },
  check: (input) => pathProblemIn(stringIn(input, "path")),
  examine: async (input, place) => factsOfWriting(locatePath(stringIn(input, "path") ?? "", place)),
  async preview(input, place) {
    const { absolute } = locatePath(stringIn(input, "path") ?? "", place);
    const [oldText, newText] = [stringIn(input, "old_text") ?? "", stringIn(input, "new_text") ?? ""];
    return previewChange(absolute, (before) => {
      const result = replaceText(before, oldText, newText, input["replace_all"] === true);
      return result.kind === "replaced" ? result.content : undefined;
    });
  },
  async run(input, run) {
    const located = locatePath(stringIn(input, "path") ?? "", run);
    const stray = strayed(located, run);
    if (stray !== undefined) return failed(stray);
    const file = await readWhole(located, run);
    if ("refused" in file) return failed(file.refused);
    const change = {
      oldText: stringIn(input, "old_text") ?? "",
      newText: stringIn(input, "new_text") ?? "",
      all: input["replace_all"] === true,
    };
    return await applyChange(located, file, change, run);
  },
});

const largestFile = 64 * 1024 * 1024;

interface WholeFile {
  readonly bytes: Buffer;
  readonly stats: BigIntStats;
}

interface TextChange {
  readonly oldText: string;
  readonly newText: string;
  readonly all: boolean;
}

async function applyChange(located: Located, file: WholeFile, change: TextChange, run: ToolRun): Promise<ToolEnd> {
  const { given, path } = located;
  const result = replaceText(file.bytes, change.oldText, change.newText, change.all);
  switch (result.kind) {
    case "same":
      return failed("old_text and new_text are the same (line ends aside, which edit keeps). Nothing was changed.");
    case "not-found":
      return failed(explainNotFound(given, file.bytes, change.oldText));
    case "several": {
      const lines = result.lines.slice(0, 10).join(", ") + (result.lines.length > 10 ? ", …" : "");
      const times = count(result.lines.length);
      return failed(
        `old_text occurs ${times} times in ${given}, at lines ${lines}. Nothing was changed. Add lines around it until it is unique, or set replace_all.`,
      );
    }
    case "replaced": {
      const replaced = await replaceFile(located, result.content, run, file.stats);
      if (replaced.kind === "refused") return failed(replaced.message);
      const times = result.count === 1 ? "" : ` ${count(result.count)} times, first`;
      return completed(`Edited ${path}${times} at line ${result.line}.`, {
        path,
        replacements: result.count,
        first_line: result.line,
      });
    }
  }
}

async function readWhole(located: Located, run: ToolRun): Promise<WholeFile | { readonly refused: string }> {
  const { given, absolute } = located;
  const found = await stat(absolute).catch(() => undefined);
  if (found === undefined) return { refused: `${explainMissing(located, run.root)} To make a file use write.` };
  if (!found.isFile()) return { refused: `${given} is not a regular file. Nothing was changed.` };
  if (found.size > largestFile) {
    return { refused: `${given} is too large to edit (${count(found.size)} bytes). Use bash, sed for example.` };
  }
  const handle = await open(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat({ bigint: true });
    const bytes = await handle.readFile();
    run.signal.throwIfAborted();
    if (isBinary(bytes)) return { refused: `${given} is binary. Nothing was changed.` };
    if (textEncoding(bytes) !== "utf-8") {
      return { refused: `${given} is UTF-16, which edit does not write. Nothing was changed.` };
    }
    return { bytes, stats };
  } finally {
    await handle.close();
  }
}

function explainNotFound(given: string, bytes: Buffer, oldText: string): string {
  const start = `old_text is not in ${given}. Nothing was changed.`;
  if (oldText.split("\n").every((line) => line === "" || /^\d+\t/.test(line))) {
    return `${start} It carries the line numbers that read shows; leave them out.`;
  }
  const nearest = findNearestLines(bytes.toString("utf8"), oldText);
  if (nearest === undefined) return `${start} Nothing in it is like it; read the file again.`;
  const shown = nearest.lines.map((line, index) => `${nearest.start + index}\t${cutText(line, 300)}`).join("\n");
  const how = nearest.onlySpaces ? "It differs in white space only from this" : "The nearest there is";
  return `${start} ${how}:\n${shown}`;
}
