import { preview } from "@retake/core";
import type { ActionAnswer } from "@retake/runtime/actions";
import { action as getWorkspaceStatus } from "@retake/runtime/actions/get-workspace-status";
import { act } from "../act.ts";
import { ClientTurns } from "../client-turns.ts";
import { type Call, type Command, notFound, wrongUsage } from "../command.ts";
import { usageOf } from "../command-usage.ts";
import { findClient } from "../find-client.ts";
import { plural } from "../output.ts";
import { sayEnded, watchTurn } from "../watch-turn.ts";

export const command: Command = {
  name: "queue",
  group: "turns",
  summary: "Show the prompts that wait, run those that are paused, or remove one",
  usage: "[continue | remove <n>]",
  most: 2,
  details: [
    "A prompt that is sent while a turn runs waits for its end. If Retake ends before, the prompt is kept and paused: nothing runs by itself after a crash.",
    "continue runs the paused prompts here, one after the other. If a turn does not finish, the others stay paused.",
  ],
  examples: [
    ["retake queue", "the prompts that wait or are paused"],
    ["retake queue continue", "run the paused ones"],
  ],
  async run(call) {
    const [what, number] = call.args;
    const { queue } = await act(call, getWorkspaceStatus, { params: {}, query: { thread: call.thread } });
    if (what === undefined) return list(call, queue);
    if (what === "continue" && number === undefined) return goOn(call, queue);
    if (what === "remove" && number !== undefined) return remove(call, queue, number);
    throw wrongUsage(`Usage: ${usageOf(command)}`);
  },
};

type Queue = ActionAnswer<"getWorkspaceStatus">["queue"];

function list({ output }: Call, queue: Queue): void {
  output.say({ queue }, () => {
    if (queue.length === 0) return ["No prompt waits."];
    const lines = queue.map(
      ({ prompt, status }, index) =>
        `${String(index + 1).padStart(3)}  ${status === "paused" ? "paused" : "waits "}  ${preview({ content: prompt })}`,
    );
    const isPaused = queue.some(({ status }) => status === "paused");
    return [...lines, ...(isPaused ? [output.hint("Run the paused ones: retake queue continue")] : [])];
  });
}

async function goOn(call: Call, queue: Queue): Promise<void> {
  const { thread, output } = call;
  const paused = queue.filter(({ status }) => status === "paused");
  if (paused.length === 0) return output.say({ queue: [] }, () => ["No prompt is paused. Nothing was started."]);
  const turns = new ClientTurns(call, await findClient(call));
  for (const [index, { id, prompt }] of paused.entries()) {
    if (!output.json) output.line(output.style("bold", `› ${preview({ content: prompt })}`));
    const { ended, denied } = await watchTurn(call, thread, (watch) => turns.continue(thread, id, watch));
    const rest = paused.length - index - 1;
    if (ended.status !== "finished" && rest > 0 && !output.json)
      output.line(`${plural(rest, "prompt")} of the queue ${rest === 1 ? "stays" : "stay"} paused.`);
    sayEnded(ended, denied);
  }
}

async function remove(call: Call, queue: Queue, number: string): Promise<void> {
  const { thread, output } = call;
  const found = queue[Number(number) - 1];
  if (!/^[1-9]\d{0,5}$/.test(number) || !found)
    throw notFound(`No prompt has the number ${number}. Nothing was changed; retake queue lists them.`);
  const answer = await new ClientTurns(call, await findClient(call)).remove(thread, found.id);
  // The words in full: nothing else has them any more.
  output.say(answer, () => ["✓ Removed from the queue:", found.prompt]);
}
