/**
 * At a glance: the workspace and git, the thread and what can be taken back, what is not covered and why. Reads
 * what is known and captures nothing, so it is quick and says the same while an agent works. (P7)
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { activeTake, type History, planRedo, planUndo, runningTurn, setting, takeById } from "@retake/core";
import { bytePath, lockWorkspace } from "@retake/workspace";
import { modelSettings } from "../config/model-settings.ts";
import { chosenModel } from "../model/chosen-model.ts";
import type { ModelSettings } from "../model/provider-access.ts";
import type { Retake } from "../open-retake.ts";
import { readGitContext } from "../runner/git-context.ts";
import { captureReceiptJson } from "./capture-receipt-json.ts";
import { takeJson } from "./take-json.ts";
import { threadJson } from "./thread-json.ts";

export type WorkspaceStatus = Awaited<ReturnType<typeof workspaceStatus>>;

/** `thread` is the one that commands act on; there may be none yet. */
export async function workspaceStatus(retake: Retake, thread: string | undefined) {
  const git = readGitContext(retake.root);
  const settings = await modelSettings(retake.directories.config, process.env);
  const summary = thread === undefined ? undefined : retake.everyThread().find(({ id }) => id === thread);
  const facts = summary
    ? retake.read(summary.id, (history) => threadFacts(retake, history, settings))
    : { ...NO_THREAD, model: chosenModel(undefined, undefined, settings) };
  const seen = await git;
  return {
    workspace_root: retake.root,
    git: seen ? { ...seen, head: seen.commit } : null,
    threads: retake.threads().length,
    thread: summary ? threadJson(summary, thread) : null,
    ...facts,
    coverage: coverage(retake, summary?.id),
    sync: { state: "off" as const },
    server: runningServer(retake),
    store: { directory: retake.directories.data, bytes: sizeOf(retake.directories.data) },
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

function threadFacts(retake: Retake, history: History, settings: ModelSettings) {
  const { state } = history;
  const id = activeTake(state);
  const take = takeById(state, id);
  const running = runningTurn(state, id) ?? null;
  const undo = planUndo(history);
  const redo = planRedo(history, {});
  return {
    take: take ? takeJson(state, take) : null,
    agent: { state: running === null ? ("idle" as const) : agentState(retake), turn_id: running },
    model: chosenModel(state, undefined, settings),
    can_undo: undo.kind === "plan",
    can_redo: redo.kind === "plan",
    next_undo: undo.kind === "plan" ? undo.description.replace(/^Undo: /, "") : null,
    next_redo: redo.kind === "plan" ? redo.description.replace(/^Redo: /, "") : null,
    draft: setting(state, id, "draft"),
  };
}

/** Whoever runs a turn holds the workspace. Where nobody does, the turn's process is gone. */
function agentState(retake: Retake): "running" | "interrupted" {
  const lock = lockWorkspace(retake.directories.state, bytePath(retake.root));
  lock?.release();
  return lock ? "interrupted" : "running";
}

/** What the last capture covered, and what it left out; null before the first. */
function coverage(retake: Retake, thread: string | undefined) {
  const last = thread === undefined ? undefined : retake.lastCapture(thread);
  if (!last) return null;
  return { captured_at: new Date(last.createdAt).toISOString(), ...captureReceiptJson(last.receipt) };
}

/** What a running server wrote down about itself; one that was killed could not take it back. */
function runningServer(retake: Retake): { readonly url: string; readonly pid: number } | null {
  try {
    const { url, pid } = JSON.parse(readFileSync(join(retake.directories.state, "server.json"), "utf8"));
    if (typeof url !== "string" || typeof pid !== "number") return null;
    process.kill(pid, 0);
    return { url, pid };
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
