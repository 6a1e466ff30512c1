import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { isRefusal } from "@retake/core";
import { EXPORT_FORMATS, type ExportFormat, exportRepository, exportThread } from "@retake/runtime";
import { type Call, type Command, CommandError, EXIT, refused, wrongUsage } from "../command.ts";
import { find } from "../find.ts";
import { plural } from "../output.ts";
import { standardOutput } from "../standard-output.ts";

export const command: Command = {
  name: "export",
  summary: "Write the discussion into a file, or its turns into a git repository; with --at, as it was then",
  usage: `[--format ${EXPORT_FORMATS.join("|")}] [--output file] [--at point]`,
  details: [
    "Formats:",
    "  json      everything the discussion is now, for programs and for retake import (the default)",
    "  toml      a file for people to read and edit: roles, prompts, takes with their entries (retake.toml)",
    "  markdown  for people to read",
    "  git       a repository in a new directory, with a commit for each turn",
    "  bundle    one file with the whole history and all files, for retake import on another machine",
    "",
    "Without --output, or with -, what is text goes to the standard output.",
  ],
  most: 0,
  options: { format: { type: "string" }, output: { type: "string" }, at: { type: "string" } },
  async run(call) {
    const { workspace, thread, options, output } = call;
    const format = formatOf(options["format"]);
    const at = typeof options["at"] === "string" ? find.point(call, options["at"]).operation : undefined;
    const file = typeof options["output"] === "string" && options["output"] !== "-" ? options["output"] : undefined;
    if (format === "git") return exportGit(call, file, at);
    if (format === "bundle" && file === undefined) throw wrongUsage("A bundle is no text: name a file with --output.");
    const bytes = await exportThread(workspace, thread, format, at);
    if (isRefusal(bytes)) throw refused(bytes);
    if (file === undefined) return void standardOutput().write(bytes);
    writeNew(file, bytes);
    output.say({ file: resolve(file), format, bytes: bytes.byteLength }, () => [
      `${output.style("green", "✓")} Wrote ${file} (${plural(bytes.byteLength, "byte")})`,
    ]);
  },
};

async function exportGit({ workspace, thread, output }: Call, directory: string | undefined, at: string | undefined) {
  if (directory === undefined) throw wrongUsage("Name a new directory for the repository with --output.");
  const done = await exportRepository(workspace, thread, resolve(directory), at);
  if (isRefusal(done)) throw refused(done);
  output.say({ format: "git", ...done }, () => [
    `${output.style("green", "✓")} Wrote ${plural(done.commits, "commit")} to ${directory}`,
    output.style("dim", `  git -C ${directory} log --stat`),
  ]);
}

function formatOf(value: unknown): ExportFormat {
  const format = EXPORT_FORMATS.find((each) => each === (value ?? "json"));
  if (format) return format;
  throw wrongUsage(`--format takes ${EXPORT_FORMATS.join(", ")}, not '${String(value)}'.`);
}

/** An export never takes the place of a file that is there. It may hold anything that was said, so it is the user's alone. */
function writeNew(file: string, bytes: Buffer): void {
  try {
    writeFileSync(file, bytes, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const there = (error as NodeJS.ErrnoException).code === "EEXIST";
    const why = there ? "is there already" : `cannot be written: ${(error as Error).message}`;
    throw new CommandError(EXIT.failed, there ? "already-exists" : "failed", `${file} ${why}. Nothing was written.`);
  }
}
