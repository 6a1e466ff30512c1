import { action as addEntry } from "@retake/runtime/actions/add-entry";
import { act } from "../act.ts";
import { type Command, textOption } from "../command.ts";
import { EFFECTS, sayEntryChanged } from "../entry-changed.ts";
import { find } from "../find.ts";
import { newRoleLines } from "../new-role.ts";
import { readText } from "../read-text.ts";

export const command: Command = {
  name: "insert",
  group: "conversation",
  summary: "Add an entry before another one, or at the end; without text, in $EDITOR",
  usage: "[-]",
  most: 1,
  details: ["With - the text is read from the standard input."],
  options: {
    before: {
      type: "string",
      value: "entry",
      names: "entry",
      about: "the entry that it comes before; otherwise it is the last",
    },
    role: { type: "string", value: "role", names: "role", about: "who speaks; otherwise User" },
    content: { type: "string", value: "text", about: "the text of the entry" },
  },
  examples: [
    ['retake insert --content "Use tabs."', "at the end"],
    ['retake insert --before 2.0 --role System --content "Be brief."', "before the prompt of turn 2"],
  ],
  async run(call) {
    const { thread, output } = call;
    const [before, role] = [textOption(call, "before"), textOption(call, "role")];
    // Before the text is asked for: a name that means nothing must not cost what was typed.
    const next = before === undefined ? undefined : find.entry(call, before).id;
    const content = await readText(call, call.args[0]);
    const body = { content, role, before: next };
    const isNew = role === undefined ? [] : await newRoleLines(call, role);
    const answer = await act(call, addEntry, { params: { id: thread }, query: EFFECTS, body });
    const id = answer.entry?.id;
    const called = id === undefined ? [] : [output.hint(`It is called ${id}: retake edit ${id}`)];
    sayEntryChanged(call, answer, [...called, ...isNew]);
  },
};
