import { preview } from "@retake/core";
import { action as diffThread } from "@retake/runtime/actions/diff-thread";
import { action as listEntries } from "@retake/runtime/actions/list-entries";
import { action as listTurns } from "@retake/runtime/actions/list-turns";
import { act } from "../act.ts";
import { type Call, type Command, notFound, wrongUsage } from "../command.ts";
import { findBreak, type Verdict } from "../find-break.ts";
import { type Judged, judgePoint, uncoveredPaths } from "../judge-point.ts";
import type { Output } from "../output.ts";
import { typedName } from "../typed-name.ts";

export const command: Command = {
  name: "bisect",
  group: "history",
  summary: "Find the turn, and the call in it, that broke a shell command",
  usage: "<command>",
  details: [
    "The command runs in copies of the files at the ends of turns, which are removed afterwards; your own files are not touched. It succeeds with exit code 0, cannot tell with 125, and fails with any other.",
    "Directories that no capture covers, such as node_modules, are in each copy as links to yours.",
  ],
  examples: [
    ['retake bisect "! grep second notes.txt"', "which turn wrote the word"],
    ['retake bisect "test ! -e plan.txt" --json', "which turn made the file, for a program"],
  ],
  async run(call) {
    const { output } = call;
    const command = call.args.join(" ");
    if (command.trim() === "") throw wrongUsage('Give a shell command: retake bisect "npm test"');
    const links = await uncoveredPaths(call);
    const runs = new Map<string, Judged>();
    const judge = async (point: string) => {
      const judged = runs.get(point) ?? (await judgePoint(call, { at: point, command, links }));
      if (!runs.has(point)) call.world.errors.write(`  ${typedName(point)} ${judged.verdict}\n`);
      runs.set(point, judged);
      return judged.verdict;
    };
    const turns = await turnsWithFiles(call);
    const found = await search(pointsOf(turns), judge, runs);
    const turn = turns.find(({ name }) => found.good === `${name}^` && found.bad === name);
    const { good, bad } = turn ? await search(await callPoints(call, turn), judge, runs) : found;
    const answer = {
      good,
      bad,
      ...(turn ? { turn_name: turn.name, prompt: turn.prompt } : {}),
      runs: [...runs].map(([point, { verdict }]) => ({ point, verdict })),
    };
    output.say(answer, () => foundLines(output, answer));
  },
};

interface TurnWithFiles {
  readonly id: string;
  readonly name: string;
  readonly prompt: string;
}

/** The turns of the active take in their order, as far as they have captures. */
async function turnsWithFiles(call: Call): Promise<TurnWithFiles[]> {
  const { turns } = await act(call, listTurns, { params: { id: call.thread } });
  const ended = turns.flatMap(({ id, name, prompt, tree_after }) =>
    name === undefined || tree_after === undefined ? [] : [{ id, name, prompt }],
  );
  if (ended.length === 0) throw notFound("This take has no turn that has ended, so there is nothing to search.");
  return ended;
}

/** Before and after each turn: between two turns somebody else may have changed files. */
function pointsOf(turns: readonly TurnWithFiles[]): string[] {
  return turns.flatMap(({ name }) => [`${name}^`, name]);
}

/** Before a turn, after each of its calls that changed files, and after it. */
async function callPoints(call: Call, { id, name }: TurnWithFiles): Promise<string[]> {
  const params = { id: call.thread };
  const { entries, names } = await act(call, listEntries, {
    params,
    query: { after: `${name}.0`, limit: MOST_ENTRIES },
  });
  const points = [`${name}^`];
  for (const entry of entries) {
    const point = entry.turn_id === id && entry.tool_result !== undefined ? names[entry.id] : undefined;
    if (point === undefined) continue;
    const { total } = await act(call, diffThread, { params, query: { from: `${point}^`, to: point, limit: 1 } });
    if (total > 0) points.push(point);
  }
  // The end, too: a command in the background, or a person, may have changed something after the last call.
  return [...points, name];
}

const MOST_ENTRIES = 10_000;

async function search(
  points: readonly string[],
  judge: (point: string) => Promise<Verdict>,
  runs: ReadonlyMap<string, Judged>,
): Promise<{ readonly good: string; readonly bad: string }> {
  const found = await findBreak(points, judge);
  if (found.kind === "found") return found;
  const said = runs.get(found.at)?.output.trimEnd();
  const name = typedName(found.at);
  const why = {
    succeeds: `The command succeeds at the end of turn ${name}. What has changed since: retake diff ${name} now`,
    fails: `The command fails already before turn ${name.replace("^", "")}, so no turn of this take broke it.`,
    unknown: `The command cannot tell at ${name} (exit code 125), so there is nothing to search between.`,
  }[found.verdict];
  throw notFound(said && found.verdict !== "succeeds" ? `${why} It printed:\n${said}` : why);
}

interface Found {
  readonly good: string;
  readonly bad: string;
  readonly turn_name?: string;
  readonly prompt?: string;
}

function foundLines(output: Output, { good, bad, turn_name: turn, prompt = "" }: Found): string[] {
  const [from, to] = [typedName(good), typedName(bad)];
  const isCall = turn !== undefined && bad !== turn;
  const what = turn === undefined ? `A change between ${good} and ${bad}` : isCall ? `The call ${bad}` : `Turn ${bad}`;
  return [
    `${output.style("green", "✓")} ${what} broke it`,
    ...(turn === undefined ? [] : [`  ${isCall ? `in turn ${turn}: ` : ""}${preview({ content: prompt })}`]),
    output.hint(
      turn === undefined
        ? `retake diff ${from} ${to}`
        : `retake show ${to} · retake diff ${from} ${to} · retake revert ${to}`,
    ),
  ];
}
