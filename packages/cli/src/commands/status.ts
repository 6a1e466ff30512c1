import { preview } from "@retake/core";
import type { ActionAnswer } from "@retake/runtime/actions";
import { action as getWorkspaceStatus } from "@retake/runtime/actions/get-workspace-status";
import { act } from "../act.ts";
import { type Call, type Command, namedThread } from "../command.ts";
import { type Output, plural } from "../output.ts";
import { size } from "../size.ts";
import { uncoveredLines } from "../uncovered-lines.ts";

export const command: Command = {
  name: "status",
  group: "turns",
  summary: "Show workspace, git, thread, agent, the next undo, and files that are not covered",
  usage: "",
  most: 0,
  examples: [
    ["retake status", "where things stand"],
    ["retake status --json", "the same for a program"],
  ],
  async run(call) {
    const status = await act(call, getWorkspaceStatus, { params: {}, query: { thread: namedThread(call) } });
    call.output.say(status, () => lines(call, status));
  },
};

type WorkspaceStatus = ActionAnswer<"getWorkspaceStatus">;

function* lines({ output }: Call, status: WorkspaceStatus): Iterable<string> {
  const { thread, take, coverage, store, server } = status;
  const rows = [
    ["Workspace", status.workspace_root],
    ["Git", gitLine(status)],
    ["Thread", thread ? `${thread.title}${thread.private ? " (private)" : ""}` : "none yet"],
    ...(take ? [["Take", `${take.name}, ${plural(take.entries, "entry", "entries")}`]] : []),
    ["Agent", AGENT[status.agent.state]],
    ...(status.queue.length === 0 ? [] : [["Queue", queueLine(status)]]),
    ["Model", status.model],
    ["Approvals", `${status.approvals.mode}; commands are ${status.approvals.confinement}`],
    ...(status.instructions.length === 0 ? [] : [["Instructions", instructionsLine(status)]]),
    ["Undo", status.next_undo ?? "nothing to undo"],
    ...(status.next_redo === null ? [] : [["Redo", status.next_redo]]),
    ...(status.draft === "" ? [] : [["Draft", preview({ content: status.draft })]]),
    ["Files", coverage ? coverageLine(output, coverage) : "not captured yet"],
    ["Sync", status.sync.state],
    ["Server", server ? server.url : "not running"],
    ["Store", `${store.directory}, ${size(store.bytes)}`],
  ];
  for (const line of output.facts(rows)) yield line.replace(/^\S+/, (name) => output.style("dim", name));
  if (coverage) yield* notCovered(output, coverage);
  yield output.hint(next(status));
}

type Coverage = NonNullable<WorkspaceStatus["coverage"]>;

function gitLine({ git }: WorkspaceStatus): string {
  if (!git) return "not a repository";
  const where = git.branch ?? "no branch";
  const state = git.dirty === null ? "" : git.dirty ? ", uncommitted changes" : ", clean";
  return `${where} ${git.head === null ? "(no commit yet)" : git.head.slice(0, 10)}${state}`;
}

function queueLine({ queue }: WorkspaceStatus): string {
  const paused = queue.filter(({ status }) => status === "paused").length;
  const waiting = queue.length - paused;
  const parts = [
    ...(waiting > 0 ? [`${plural(waiting, "prompt")} waiting`] : []),
    ...(paused > 0 ? [`${plural(paused, "prompt")} paused, because Retake ended before: retake queue`] : []),
  ];
  return parts.join(", ");
}

function instructionsLine({ instructions }: WorkspaceStatus): string {
  return instructions.map(({ name, bytes }) => `${name} (${size(bytes)})`).join(", ");
}

const AGENT: Readonly<Record<WorkspaceStatus["agent"]["state"], string>> = {
  idle: "waiting for a prompt",
  running: "working on a turn",
  interrupted: "was interrupted: its process is gone; the next command ends the turn",
};

function coverageLine(output: Output, { files, bytes, captured_at }: Coverage): string {
  return `${plural(files, "file")}, ${size(bytes)}, captured ${output.ago(Date.parse(captured_at))}`;
}

function* notCovered(output: Output, { uncovered, ignored_changed, uncovered_changed }: Coverage): Iterable<string> {
  if (uncovered.length > 0) yield `Not covered, so that no undo brings it back: ${uncovered.length}`;
  yield* uncoveredLines(output, uncovered);
  if (uncovered_changed.length > 0) yield `  ${uncovered_changed.length} of them changed in the last turn`;
  if (ignored_changed.length > 0)
    yield `${plural(ignored_changed.length, "file")} that git ignores changed in the last turn; captured all the same`;
}

function next({ thread, can_undo, can_redo }: WorkspaceStatus): string {
  if (!thread) return "retake run <prompt>";
  const commands = [...(can_undo ? ["retake undo"] : []), ...(can_redo ? ["retake redo"] : [])];
  return [...commands, "retake diff", "retake history", "retake run <prompt>"].join(" · ");
}
