import { isRefusal } from "@retake/core";
import { type Imported, importFile } from "@retake/runtime";
import { action as switchThread } from "@retake/runtime/actions/switch-thread";
import { act } from "../act.ts";
import { type Command, CommandError, EXIT, refused, wrongUsage } from "../command.ts";
import { plural } from "../output.ts";
import { readImport } from "../read-import.ts";

export const command: Command = {
  name: "import",
  group: "threads",
  summary: "Import a thread: json, toml (also of older projects) or a bundle",
  usage: "<file | ->",
  most: 1,
  details: [
    "It becomes a new thread of this workspace; the files on disk stay as they are. A bundle brings its whole history and the files of every point of it: retake history, retake jump <name>, retake materialize <name> <directory>. Where the thread is here already, it gets what is new.",
    "Everything is checked before anything is taken in. Rules about which tools may run, and files outside of this workspace that the model would be sent, are left out.",
  ],
  examples: [
    ["retake import retake.toml", "a file"],
    ["retake export | retake import -", "a copy of the thread"],
  ],
  async run(call) {
    const [file] = call.args;
    const { workspace, output, world } = call;
    if (file === undefined) throw wrongUsage("Name a file, or - for the standard input: retake import <file>");
    const done = await importFile(workspace, await readImport(world, file));
    if (isRefusal(done)) throw refused(done);
    if (done.kind === "unreadable") throw new CommandError(EXIT.failed, done.code, done.message);
    const [thread] = done.threads;
    if (thread !== undefined) await act(call, switchThread, { params: { id: thread }, body: {} });
    // One that was here already may live in another workspace.
    const summaries = done.threads.flatMap((id) => workspace.store.thread(id) ?? []);
    const threads = summaries.map(({ id, title }) => ({ id, title }));
    const { operations, left_out } = done;
    const answer = { format: done.format, threads, ...(operations === undefined ? {} : { operations }), left_out };
    if (operations === 0) {
      const where = summaries.map(
        ({ title, workspace_root }) => `${title} is the current thread of ${workspace_root}.`,
      );
      output.say(answer, () => [`Nothing new: all of it is here already. ${where.join(" ")}`]);
      return;
    }
    output.say(answer, () => [
      ...threads.map(({ title }) => `${output.style("green", "✓")} Imported ${title}`),
      ...leftOutLines(left_out),
      output.hint(`It is the current thread. Take this back: retake delete ${thread}`),
    ]);
  },
};

function leftOutLines(leftOut: Extract<Imported, { kind: "imported" }>["left_out"]): string[] {
  const rules = leftOut.filter(({ what }) => what === "rule").length;
  const paths = [...new Set(leftOut.flatMap(({ path }) => path ?? []))];
  return [
    ...(rules > 0 ? [`  left out: ${plural(rules, "rule")} about which tools may run`] : []),
    ...paths.map((path) => `  left out: ${path}, which lies outside of this workspace`),
  ];
}
