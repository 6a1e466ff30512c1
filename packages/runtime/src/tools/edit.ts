import { type BigIntStats, constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import { isObject, type JsonObject } from "@retake/core";
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

const changeFields = {
  old_text: { type: "string", minLength: 1, description: "What is there now, with enough around it to be unique." },
  new_text: { type: "string", description: "What is to be there instead; empty to delete." },
  replace_all: { type: "boolean", description: "Replace every occurrence." },
} as const;

/** Replaces texts in a file: each must occur exactly once, or be replaced every time. Several edits are all made or none. */
export const edit = defineTool({
  name: "edit",
  onlyReplaces: true,
  description:
    "Replaces old_text by new_text in a file. old_text must be copied exactly, without line numbers, and occur once, or replace_all be true. Line ends are kept. For several places give edits instead: they are made in order, each on the result of the one before, and all or none.",
  input: {
    type: "object",
    properties: {
      path: pathField,
      ...changeFields,
      edits: {
        type: "array",
        minItems: 1,
        maxItems: 100,
        description: "Several changes of the file, instead of old_text and new_text.",
        items: {
          type: "object",
          properties: changeFields,
          required: ["old_text", "new_text"],
          additionalProperties: false,
        },
      },
    },
    required: ["path"],
    additionalProperties: false,
  },
  check: (input) => pathProblemIn(stringIn(input, "path")) ?? formProblem(input),
  examine: async (input, place) => factsOfWriting(locatePath(stringIn(input, "path") ?? "", place)),
  async preview(input, place) {
    const { absolute } = locatePath(stringIn(input, "path") ?? "", place);
    return previewChange(absolute, (before) => {
      let content = before;
      for (const { oldText, newText, all } of changesIn(input)) {
        const result = replaceText(content, oldText, newText, all);
        if (result.kind !== "replaced") return undefined;
        content = result.content;
      }
      return content;
    });
  },
  async run(input, run) {
    const located = locatePath(stringIn(input, "path") ?? "", run);
    const stray = strayed(located, run);
    if (stray !== undefined) return failed(stray);
    const file = await readWhole(located, run);
    if ("refused" in file) return failed(file.refused);
    return await applyChanges(located, file, changesIn(input), run);
  },
});

const LARGEST_FILE = 64 * 1024 * 1024;

interface WholeFile {
  readonly bytes: Buffer;
  readonly stats: BigIntStats;
}

interface TextChange {
  readonly oldText: string;
  readonly newText: string;
  readonly all: boolean;
}

function changesIn(input: JsonObject): TextChange[] {
  const edits = Array.isArray(input["edits"]) ? input["edits"].filter(isObject) : [input];
  return edits.map((each) => ({
    oldText: stringIn(each, "old_text") ?? "",
    newText: stringIn(each, "new_text") ?? "",
    all: each["replace_all"] === true,
  }));
}

/** Checks a rule that the schema cannot express: one change, or a list of changes. */
function formProblem(input: JsonObject): string | undefined {
  const single = ["old_text", "new_text", "replace_all"].filter((field) => (input[field] ?? null) !== null);
  if (Array.isArray(input["edits"])) {
    if (input["edits"].length === 0) return "edits is empty.";
    return single.length > 0 ? `Give either edits or ${single.join(" and ")}, not both.` : undefined;
  }
  const missing = ["old_text", "new_text"].find((field) => !single.includes(field));
  return missing === undefined ? undefined : `the input lacks ${missing}.`;
}

/** Nothing is written unless every change fits. */
async function applyChanges(
  located: Located,
  file: WholeFile,
  changes: readonly TextChange[],
  run: ToolRun,
): Promise<ToolEnd> {
  const { given, path } = located;
  let content = file.bytes;
  const lines: number[] = [];
  let replacements = 0;
  for (const [index, { oldText, newText, all }] of changes.entries()) {
    const result = replaceText(content, oldText, newText, all);
    if (result.kind !== "replaced") {
      const which = changes.length === 1 ? "" : `Edit ${index + 1} of ${changes.length}: `;
      return failed(`${which}${explainProblem(given, content, oldText, result)}`);
    }
    content = result.content;
    lines.push(result.line);
    replacements += result.count;
  }
  const replaced = await replaceFile(located, content, run, file.stats);
  if (replaced.kind === "refused") return failed(replaced.message);
  const [first = 1] = lines;
  const times = replacements === 1 ? "" : ` ${count(replacements)} times, first`;
  const where = changes.length === 1 ? `${times} at line ${first}` : ` at lines ${lines.join(", ")}`;
  return completed(`Edited ${path}${where}.`, { path, replacements, first_line: first });
}

type Problem = Exclude<ReturnType<typeof replaceText>, { kind: "replaced" }>;

function explainProblem(given: string, bytes: Buffer, oldText: string, problem: Problem): string {
  switch (problem.kind) {
    case "same":
      return "old_text and new_text are the same (line ends aside, which edit keeps). Nothing was changed.";
    case "not-found":
      return explainNotFound(given, bytes, oldText);
    case "several": {
      const lines = problem.lines.slice(0, 10).join(", ") + (problem.lines.length > 10 ? ", …" : "");
      const times = count(problem.lines.length);
      return `old_text occurs ${times} times in ${given}, at lines ${lines}. Nothing was changed. Add lines around it until it is unique, or set replace_all.`;
    }
  }
}

async function readWhole(located: Located, run: ToolRun): Promise<WholeFile | { readonly refused: string }> {
  const { given, absolute } = located;
  const found = await stat(absolute).catch(() => undefined);
  if (found === undefined) return { refused: `${explainMissing(located, run.root)} To make a file use write.` };
  if (!found.isFile()) return { refused: `${given} is not a regular file. Nothing was changed.` };
  if (found.size > LARGEST_FILE) {
    const size = `${count(found.size)} bytes`;
    return { refused: `${given} is too large to edit (${size}). Nothing was changed. Use bash, sed for example.` };
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
