import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { isRefusal } from "@retake/core";
import { importFile } from "@retake/runtime";
import { type Command, CommandError, EXIT, notFound, refused, wrongUsage } from "../command.ts";

export const command: Command = {
  name: "import",
  summary: "Take in a discussion that was exported: json, toml (older project files too) or a bundle",
  usage: "<file | ->",
  details: [
    "It becomes a new discussion of this workspace; the files on disk stay as they are. A bundle brings its whole",
    "history and the files of every point of it: retake history, retake jump <op>, retake materialize <op> <dir>. Where",
    "the discussion is here already, it gets what is new.",
    "Everything is checked before anything is taken in. Rules about which tools may run are not taken over.",
  ],
  most: 1,
  async run(call) {
    const [file] = call.args;
    const { workspace, output } = call;
    if (file === undefined) throw wrongUsage("Name a file, or - for the standard input: retake import <file>");
    const done = await importFile(workspace, file === "-" ? await buffer(process.stdin) : readNamed(file));
    if (isRefusal(done)) throw refused(done);
    if (done.kind === "unreadable") throw new CommandError(EXIT.failed, done.code, done.message);
    const [thread] = done.threads;
    if (thread !== undefined) workspace.store.chooseThread(workspace.root, thread);
    // One that was here already may live in another workspace.
    const summaries = done.threads.flatMap((id) => workspace.store.thread(id) ?? []);
    const threads = summaries.map(({ id, title }) => ({ id, title }));
    const { operations } = done;
    const answer = { format: done.format, threads, ...(operations === undefined ? {} : { operations }) };
    if (operations === 0) {
      output.say(answer, () => ["Nothing new: all of it is here already."]);
      return;
    }
    output.say(answer, () => [
      ...threads.map(({ title }) => `${output.style("green", "✓")} Imported ${title}`),
      output.style("dim", "  It is the current discussion. Take this back: retake delete <thread>"),
    ]);
  },
};

function readNamed(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw notFound(`${file} cannot be read: ${(error as Error).message}. Nothing was changed.`);
  }
}
