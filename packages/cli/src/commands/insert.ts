import { action as addEntry } from "@retake/runtime/actions/add-entry";
import { act } from "../act.ts";
import type { Command } from "../command.ts";
import { EFFECTS, sayEntryChanged } from "../entry-changed.ts";
import { find } from "../find.ts";
import { readText } from "../read-text.ts";

export const command: Command = {
  name: "insert",
  summary: "A new entry before another, or at the end; without text, in $EDITOR",
  usage: "[--before entry] [--role r] [--content text | -]",
  most: 1,
  options: { before: { type: "string" }, role: { type: "string" }, content: { type: "string" } },
  async run(call) {
    const { thread, options, output } = call;
    const { before, role } = options;
    const place = typeof before === "string" ? { before: find.entry(call, before).id } : {};
    const content = await readText(call, call.args[0]);
    const body = { content, ...(typeof role === "string" ? { role } : {}), ...place };
    const answer = await act(call, addEntry, { params: { id: thread }, query: EFFECTS, body });
    const id = answer.entry?.id;
    sayEntryChanged(
      call,
      answer,
      id === undefined ? [] : [output.style("dim", `  It is called ${id}: retake edit ${id}`)],
    );
  },
};
