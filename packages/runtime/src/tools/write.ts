import { stringIn } from "./check-input.ts";
import { count } from "./cut-text.ts";
import { completed, defineTool, failed } from "./define-tool.ts";
import { factsOfWriting } from "./facts-of-writing.ts";
import { locatePath, strayed } from "./locate-path.ts";
import { pathField, pathProblemIn } from "./path-field.ts";
import { previewChange } from "./preview-change.ts";
import { replaceFile } from "./replace-file.ts";

/** Makes a file, or replaces all of one. */
export const write = defineTool({
  name: "write",
  onlyReplaces: true,
  description:
    "Writes a whole file, replacing what was there, and makes the directories it needs. To change a part of a file use edit.",
  input: {
    type: "object",
    properties: { path: pathField, content: { type: "string", description: "All of the file's text." } },
    required: ["path", "content"],
    additionalProperties: false,
  },
  check: (input) => pathProblemIn(stringIn(input, "path")),
  examine: async (input, place) => factsOfWriting(locatePath(stringIn(input, "path") ?? "", place)),
  async preview(input, place) {
    const { absolute } = locatePath(stringIn(input, "path") ?? "", place);
    return previewChange(absolute, () => Buffer.from(stringIn(input, "content") ?? "", "utf8"));
  },
  async run(input, run) {
    const given = stringIn(input, "path") ?? "";
    const located = locatePath(given, run);
    const stray = strayed(located, run);
    if (stray !== undefined) return failed(stray);
    if (given.endsWith("/"))
      return failed(`${given} names a directory; a file's path does not end in "/". Nothing was changed.`);

    const content = Buffer.from(stringIn(input, "content") ?? "", "utf8");
    const result = await replaceFile(located, content, run);
    if (result.kind === "refused") return failed(result.message);
    const what = result.kind === "created" ? "Created" : "Replaced";
    return completed(`${what} ${located.path} (${count(content.length)} ${content.length === 1 ? "byte" : "bytes"}).`, {
      path: located.path,
      created: result.kind === "created",
      bytes: content.length,
    });
  },
});
