import { writeFileSync } from "node:fs";
import { isRefusal } from "@retake/core";
import { EXPORT_FORMATS, type Exported, type ExportFormat, exportRepository, exportThread } from "@retake/runtime";
import { type Call, type Command, CommandError, EXIT, refused, textOption, wrongUsage } from "../command.ts";
import { fileProblem } from "../file-problem.ts";
import { find } from "../find.ts";
import { plural } from "../output.ts";
import { size } from "../size.ts";
import { typedName } from "../typed-name.ts";
import { pathIn } from "../world.ts";

export const command: Command = {
  name: "export",
  group: "threads",
  summary: "Write the thread to a file, or its turns to a git repository; with --at, as it was at that point",
  usage: "",
  most: 0,
  details: [
    "Files that ignore rules name, such as .env, are held back.",
    "Without --output, or with -, what is text goes to the standard output.",
    "json is everything the thread is now, for programs and for retake import; toml is for people to read and edit (retake.toml: roles, prompts, takes with their entries); markdown is for people to read; git is a repository in a new directory, with a commit for each turn; bundle is one file with the whole history and all files, for retake import on another machine.",
  ],
  options: {
    format: { type: "string", choices: EXPORT_FORMATS, about: "json unless given" },
    output: { type: "string", value: "file", about: "the file, which must be new; for git a directory" },
    at: { type: "string", value: "turn|operation", names: "point", about: "as it was at the end of that" },
    "with-ignored": { type: "boolean", about: "take those into a bundle that ignore rules name and turns changed" },
  },
  examples: [
    ["retake export --format markdown", "to read"],
    ["retake export --format bundle --output notes.bundle", "everything, for another machine"],
  ],
  async run(call) {
    const { workspace, thread, options, output, world } = call;
    const format = (options["format"] ?? "json") as ExportFormat;
    const [point, named] = [textOption(call, "at"), textOption(call, "output")];
    const at = point === undefined ? undefined : find.point(call, point).operation;
    const file = named === "-" ? undefined : named;
    if (format === "git") return exportGit(call, file, at);
    if (format === "bundle" && file === undefined) throw wrongUsage("A bundle is no text: name a file with --output.");
    const done = await exportThread(workspace, thread, format, { at, withIgnored: options["with-ignored"] === true });
    if (isRefusal(done)) throw refused(done);
    const { bytes, ...held } = done;
    if (file === undefined) return void output.writeExact(bytes);
    const path = pathIn(world, file);
    writeNew(path, bytes);
    output.say({ file: path, format, bytes: bytes.byteLength, ...held }, () => [
      `${output.style("green", "✓")} Wrote ${file} (${size(bytes.byteLength)})`,
      ...contentLines(held),
    ]);
  },
};

async function exportGit(
  { workspace, thread, output, world }: Call,
  directory: string | undefined,
  at: string | undefined,
) {
  if (directory === undefined) throw wrongUsage("Name a new directory for the repository with --output.");
  const done = await exportRepository(workspace, thread, pathIn(world, directory), at);
  if (isRefusal(done)) throw refused(done);
  output.say({ format: "git", ...done }, () => [
    `${output.style("green", "✓")} Wrote ${plural(done.commits, "commit")} to ${directory}`,
    output.style("dim", `  git -C ${typedName(directory)} log --stat`),
  ]);
}

/** Tells the user what the export contains, before it is handed on. */
function* contentLines({ contents, held_back = [] }: Omit<Exported, "bytes">): Iterable<string> {
  const files = contents === undefined ? "" : `, and ${plural(contents, "version")} of files`;
  yield `  It holds all that was said, what tools printed, and what was last sent to the model${files}.`;
  if (held_back.length === 0) return;
  yield `  Held back, because ignore rules name ${held_back.length === 1 ? "it" : "them"}: ${plural(held_back.length, "file")}`;
  for (const { path, changed_by_turn } of held_back.slice(0, SHOWN))
    yield `    ${path}${changed_by_turn ? " (a turn changed it; --with-ignored takes it along)" : ""}`;
  if (held_back.length > SHOWN) yield `    and ${held_back.length - SHOWN} more; --json lists all`;
}

const SHOWN = 10;

/** An export never takes the place of a file that is there. It may hold anything that was said, so it is the user's alone. */
function writeNew(file: string, bytes: Buffer): void {
  try {
    writeFileSync(file, bytes, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const there = (error as NodeJS.ErrnoException).code === "EEXIST";
    const why = there ? "is there already" : fileProblem(error, "written");
    const message = `${file} ${why}. Nothing was written; name another file with --output.`;
    throw new CommandError(EXIT.failed, there ? "already-exists" : "failed", message);
  }
}
