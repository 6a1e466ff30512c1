import { preview } from "@retake/core";
import { action as stopTurns } from "@retake/runtime/actions/stop-turns";
import { act } from "../act.ts";
import { type Command, namedThread } from "../command.ts";

export const command: Command = {
  name: "stop",
  group: "turns",
  summary: "End the turns that run or wait in this workspace, in every terminal and server",
  usage: "",
  most: 0,
  details: [
    "Turns that wait for it are not begun. With --thread, only turns of that thread end. What they did is kept; retake undo takes it back.",
    "A turn that another machine began, and whose end has not been synced, ends in the history here.",
  ],
  examples: [
    ["retake stop", "end what runs or waits here"],
    ["retake stop --thread scratch", "only what runs in one thread"],
  ],
  async run(call) {
    const { output } = call;
    const answer = await act(call, stopTurns, { params: {}, body: { thread: namedThread(call) } });
    output.say(answer, () => {
      if (answer.turns.length === 0) return ["No turn runs or waits in this workspace."];
      const lines = answer.turns.map(({ name, prompt, status, title, elsewhere }) =>
        status === "not-started"
          ? `✓ A turn of ${title} that waited was not begun.`
          : `✓ Ended turn ${name ?? ""} of ${title}${elsewhere ? ", which another machine began" : ""}: ${output.style("dim", preview({ content: prompt }))}`,
      );
      if (answer.turns.some(({ elsewhere }) => elsewhere))
        lines.push("  If that machine has gone on with it, the next sync keeps that as a take of its own.");
      const hasRun = answer.turns.some(({ status }) => status !== "not-started");
      return [...lines, ...(hasRun ? [output.hint("Its changes are kept. Take them back: retake undo")] : [])];
    });
  },
};
