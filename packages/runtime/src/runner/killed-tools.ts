/**
 * Which changes the tools of a killed turn made, and which the user made since.
 *
 *   last capture ── tool runs ── kill ── tool ended, marked ── user edits ── Retake runs again
 *
 * A command may change any file until it has ended. The watchdog marks when that was, so a file that changed after the mark
 * was changed by the user; also where the command had changed it before, because then the two cannot be told apart, and an
 * undo must not take the user's part. `write` and `edit` change the file that they name. Where nothing ran, all changes
 * are the user's. A command in the background runs between the calls, too: one whose end is not recorded was still running, or
 * had ended before the kill and was marked then.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { type AgentState, type Entry, entries, entryById, promptEntryId, type State, type TakeId } from "@retake/core";
import { type BytePath, bytePath, type Change } from "@retake/workspace";
import { endMark, isEndMark } from "../tools/run-command.ts";
import { type CommandChanges, commandChanges } from "./command-changes.ts";
import { overflowFile } from "./overflow-file.ts";

export interface KilledTurn {
  readonly root: BytePath;
  readonly state: State;
  readonly take: TakeId;
  readonly agent: AgentState;
  readonly outputs: string;
}

/** `ended`: the calls that are known to have ended. `forget` removes the turn's marks; call it when the answer is recorded. */
export function changesOfKilledTools(
  turn: KilledTurn,
  all: readonly Change[],
): { readonly changes: readonly Change[]; readonly ended: readonly string[]; forget(): void } {
  const tools = [...runningTools(turn), ...openBackground(turn).map((each) => commandOf(turn, each))];
  const changes = all.filter((change) => tools.some((tool) => tool.mayHaveMade(change)));
  const ended = tools.flatMap(({ call_id, ended: isEnded }) => (isEnded ? [call_id] : []));
  return { changes, ended, forget: () => forgetMarks(turn) };
}

interface KilledTool extends CommandChanges {
  readonly call_id: string;
}

function forgetMarks({ agent, outputs }: KilledTurn): void {
  if (!("turn" in agent) || !existsSync(outputs)) return;
  for (const name of readdirSync(outputs))
    if (name.startsWith(`${agent.turn.turn_id}-`) && isEndMark(name)) rmSync(join(outputs, name), { force: true });
}

function runningTools({ root, state, take, agent, outputs }: KilledTurn): KilledTool[] {
  if (agent.kind !== "executing-tools") return [];
  const { turn_id, step, entry_id } = agent.turn;
  const calls = entryById(state, take, entry_id)?.tool_calls ?? [];
  const running = agent.executions.filter(({ status }) => status === "running");
  return running.map(({ call_id, name }): KilledTool => {
    const path = calls.find(({ id }) => id === call_id)?.input["path"];
    if ((name === "write" || name === "edit") && typeof path === "string") {
      const absolute = bytePath(resolve(Buffer.from(root, "latin1").toString("utf8"), path));
      return { call_id, ended: true, mayHaveMade: (change) => isAround(`${root}/${change.path}`, absolute) };
    }
    return commandOf({ root, outputs }, { turn_id, step, call_id });
  });
}

interface OpenCommand {
  readonly entry: string;
  readonly turn_id: string;
  readonly step: number;
  readonly call_id: string;
  readonly name: string;
}

/** The commands that a killed turn had started in the background and whose end is not recorded. */
export function openBackground({ state, take, agent }: Pick<KilledTurn, "state" | "take" | "agent">): OpenCommand[] {
  if (!("turn" in agent)) return [];
  const { turn_id } = agent.turn;
  const prompt = entryById(state, take, promptEntryId(turn_id));
  return [...entries(state, take, prompt)].flatMap((entry) => {
    const name = entry.turn_id === turn_id ? backgroundOf(entry) : undefined;
    // `<turn>.<step>.<position>` [AG10]
    const step = Number(entry.id.slice(turn_id.length + 1).split(".")[0]);
    return name === undefined
      ? []
      : [{ entry: entry.id, turn_id, step, call_id: entry.tool_result?.call_id ?? "", name }];
  });
}

function backgroundOf({ tool_result: result, details, background }: Entry): string | undefined {
  if (result?.status !== "completed" || background?.["status"] === "ended") return undefined;
  const name = (details as { readonly background?: unknown } | undefined)?.background;
  return typeof name === "string" ? name : undefined;
}

function commandOf(
  { root, outputs }: Pick<KilledTurn, "root" | "outputs">,
  { turn_id, step, call_id }: Pick<OpenCommand, "turn_id" | "step" | "call_id">,
): KilledTool {
  return { call_id, ...commandChanges(root, endMark(overflowFile(outputs, { turn_id, step, call_id }))) };
}

/** A directory that became empty, or is not empty any more, changed with the file in it. */
function isAround(path: string, file: string): boolean {
  return path === file || file.startsWith(`${path}/`);
}
