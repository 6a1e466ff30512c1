import type { ActionAnswer } from "@retake/runtime/actions";
import { action as listThreads } from "@retake/runtime/actions/list-threads";
import { act } from "../act.ts";
import type { Command } from "../command.ts";
import { moreLine, PAGE_OPTIONS, pageQuery } from "../list-page.ts";

export const command: Command = {
  name: "threads",
  group: "threads",
  summary: "List the threads of this workspace, most recent first",
  usage: "",
  most: 0,
  options: {
    all: { type: "boolean", about: "those of every directory of this machine, with their directories" },
    ...PAGE_OPTIONS,
  },
  examples: [
    ["retake threads", "all of them; ● is the current one"],
    ["retake threads --all", "of every directory; a name of another one is its id"],
    ["retake threads --limit 1", "the most recent"],
  ],
  async run(call) {
    const { workspace, output, options } = call;
    const here = options["all"] ? undefined : workspace.root;
    const answer = await act(call, listThreads, { params: {}, query: { workspace: here, ...pageQuery(call) } });
    output.say(answer, () => {
      if (answer.threads.length === 0) return [output.inForm(options["all"] ? NONE_ANYWHERE : NONE)];
      const rows = answer.threads.map((thread) => [
        thread.active && thread.workspace_root === workspace.root ? "●" : " ",
        output.ago(Date.parse(thread.updated_at)),
        ...(options["all"] ? [thread.workspace_root] : []),
        threadLine(thread),
      ]);
      return [...output.table(rows), ...moreLine(call, answer), output.hint(options["all"] ? ANYWHERE : HERE)];
    });
  },
};

const HERE = "retake switch <thread> · retake rename <thread> <name> · retake delete <thread>";

const ANYWHERE = "of another directory: retake log --thread <id> · retake run <prompt> --thread <id>";

const NONE = "No thread in this workspace yet. Begin one: retake run <prompt>";

const NONE_ANYWHERE = "No thread on this machine yet. Begin one: retake run <prompt>";

/** The name, and the title where that is another; that it is private comes last. */
function threadLine({ name, title, private: isPrivate }: ActionAnswer<"listThreads">["threads"][number]): string {
  return `${name}${name === title ? "" : `  ${title}`}${isPrivate ? " (private)" : ""}`;
}
