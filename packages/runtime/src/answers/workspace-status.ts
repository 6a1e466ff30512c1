/**
 * A summary: the workspace and git, the thread and its next undo, the uncovered files and the reasons. Captures
 * nothing, so it is quick and gives the same answer while an agent works. (P7)
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { activeTake, type History, planRedo, planUndo, runningTurn, setting, takeById } from "@retake/core";
import { bytePath, lockWorkspace } from "@retake/workspace";
import { modelSettings } from "../config/model-settings.ts";
import { chosenModel } from "../model/chosen-model.ts";
import type { ModelSettings } from "../model/provider-access.ts";
import { findInstructions } from "../runner/find-instructions.ts";
import { readGitContext } from "../runner/git-context.ts";
import { OutsideFiles } from "../runner/outside-files.ts";
import { isAlive } from "../store/is-alive.ts";
import { describeConfinement } from "../tools/confine/confinement.ts";
import type { Workspace } from "../workspace/open-workspace.ts";
import { captureReceiptJson } from "./capture-receipt-json.ts";
import { takeJson } from "./take-json.ts";
import { threadJson } from "./thread-json.ts";

/** `thread` is the one that commands act on; there may be none yet. */
export async function workspaceStatus(workspace: Workspace, thread: string | undefined) {
  const git = readGitContext(workspace.root, workspace.store);
  const settings = await modelSettings(workspace.store.directories.config, workspace.store.environment);
  const summary = thread === undefined ? undefined : workspace.store.thread(thread);
  const facts = summary
    ? workspace.store.read(summary.id, (history) => threadFacts(workspace, history, settings))
    : { ...NO_THREAD, model: chosenModel(undefined, undefined, settings) };
  const found = await workspace.confinement();
  const seen = await git;
  return {
    workspace_root: workspace.root,
    git: seen ? { ...seen, head: seen.commit } : null,
    threads: workspace.threads().length,
    thread: summary ? threadJson(summary, thread) : null,
    ...facts,
    coverage: coverage(workspace, summary?.id),
    approvals: { mode: workspace.store.approvals.of(workspace.root).mode, confinement: describeConfinement(found) },
    instructions: instructions(workspace),
    server: runningServer(workspace),
    store: { directory: workspace.store.directories.data, bytes: sizeOf(workspace.store.directories.data) },
  };
}

const NO_THREAD = {
  take: null,
  agent: { state: "idle" as const, turn_id: null },
  can_undo: false,
  can_redo: false,
  next_undo: null,
  next_redo: null,
  draft: "",
};

function threadFacts(workspace: Workspace, history: History, settings: ModelSettings) {
  const { state } = history;
  const id = activeTake(state);
  const take = takeById(state, id);
  const running = runningTurn(state, id) ?? null;
  const undo = planUndo(history);
  const redo = planRedo(history, {});
  return {
    take: take ? takeJson(state, take) : null,
    agent: { state: running === null ? ("idle" as const) : agentState(workspace), turn_id: running },
    model: chosenModel(state, undefined, settings),
    can_undo: undo.kind === "plan",
    can_redo: redo.kind === "plan",
    next_undo: undo.kind === "plan" ? undo.description.replace(/^Undo: /, "") : null,
    next_redo: redo.kind === "plan" ? redo.description.replace(/^Redo: /, "") : null,
    draft: setting(state, id, "draft"),
  };
}

/** The process of a running turn holds the workspace's lock. If the lock is free, that process is gone. */
function agentState(workspace: Workspace): "running" | "interrupted" {
  const lock = lockWorkspace(workspace.store.directories.state, bytePath(workspace.root));
  lock?.release();
  return lock ? "interrupted" : "running";
}

/** The instruction files that the model is shown: foreign text, so the user can see that it is there. */
function instructions({ root, store }: Workspace): { readonly name: string; readonly bytes: number }[] {
  const { directories } = store;
  const outside = new OutsideFiles(directories, root);
  const files = findInstructions({ root, config: directories.config, outside });
  return files.map(({ name, bytes }) => ({ name, bytes }));
}

/** The coverage of the last capture; null before the first. */
function coverage(workspace: Workspace, thread: string | undefined) {
  const last = thread === undefined ? undefined : workspace.store.lastCapture(thread, workspace.root);
  if (!last) return null;
  return { captured_at: new Date(last.createdAt).toISOString(), ...captureReceiptJson(last.receipt) };
}

/** The address that a running server wrote down. A killed server leaves its file, so the process is checked. */
function runningServer(workspace: Workspace): { readonly url: string; readonly pid: number } | null {
  try {
    const { url, pid } = JSON.parse(readFileSync(join(workspace.store.directories.state, "server.json"), "utf8"));
    if (typeof url !== "string" || typeof pid !== "number") return null;
    return isAlive(pid) ? { url, pid } : null;
  } catch {
    return null;
  }
}

function sizeOf(directory: string): number {
  let bytes = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    // Between listing and looking, a file of the database may have gone.
    bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}
