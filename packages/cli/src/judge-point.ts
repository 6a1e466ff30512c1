import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { endProcesses } from "@retake/runtime";
import { action as getWorkspaceStatus } from "@retake/runtime/actions/get-workspace-status";
import { action as materialize } from "@retake/runtime/actions/materialize";
import { act } from "./act.ts";
import { type Call, EndedWith } from "./command.ts";
import { SIGNAL_EXITS } from "./end-with-process.ts";
import type { Verdict } from "./find-break.ts";
import type { Signal, World } from "./world.ts";

/** As for `git bisect run`: a command that cannot tell ends with it. */
const CANNOT_TELL = 125;
const OUTPUT_KEPT = 4000;
const GRACE_MS = 1000;

export interface Judged {
  readonly verdict: Verdict;
  /** The end of what the command printed. */
  readonly output: string;
}

/**
 * Runs a shell command in a copy of the files of a point, and removes the copy. The paths of `links` are links to those of the
 * workspace.
 */
export async function judgePoint(
  call: Call,
  { at, command, links }: { readonly at: string; readonly command: string; readonly links: readonly string[] },
): Promise<Judged> {
  const folder = mkdtempSync(join(tmpdir(), "retake-bisect-"));
  const stop = new AbortController();
  // Before anything is written or runs, so that a signal leaves neither behind.
  const leave = endOnSignals(call.world, stop);
  try {
    const directory = join(folder, "files");
    await act(call, materialize, { params: { id: call.thread }, body: { at, directory } });
    addLinks(call.workspace.root, directory, links);
    const judged = await runIn(call.world, directory, command, stop.signal);
    if (stop.signal.aborted) throw new EndedWith(Number(stop.signal.reason));
    return judged;
  } finally {
    leave();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A signal to Retake aborts with the exit code of that signal as the reason. */
function endOnSignals(world: World, stop: AbortController): () => void {
  const leave = (Object.keys(SIGNAL_EXITS) as Signal[]).map((signal) =>
    world.onSignal(signal, () => {
      world.exitCode = SIGNAL_EXITS[signal];
      stop.abort(world.exitCode);
    }),
  );
  return () => {
    for (const each of leave) each();
  };
}

/** Caches and other paths that no capture covers, such as `node_modules`: most commands need them. */
export async function uncoveredPaths(call: Call): Promise<string[]> {
  const { coverage } = await act(call, getWorkspaceStatus, { params: {}, query: { thread: call.thread } });
  return (coverage?.uncovered ?? []).flatMap(({ path, reason }) => (LINKED.has(reason) ? [path] : []));
}

function addLinks(root: string, directory: string, links: readonly string[]): void {
  for (const path of links) {
    const [original, copy] = [join(root, path), join(directory, path)];
    if (existsSync(original) && existsSync(dirname(copy)) && !existsSync(copy)) symlinkSync(original, copy);
  }
}

const LINKED: ReadonlySet<string> = new Set(["cache", "excluded", "ignored", "too-large"]);

async function runIn(world: World, cwd: string, command: string, signal: AbortSignal): Promise<Judged> {
  if (signal.aborted) return { verdict: "unknown", output: "" };
  const child = spawn("/bin/sh", ["-c", command], {
    cwd,
    env: world.environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  // With everything that it started.
  signal.addEventListener("abort", () => void (child.pid !== undefined && endProcesses(child.pid, GRACE_MS)));
  let output = "";
  const keep = (text: string) => {
    output = (output + text).slice(-OUTPUT_KEPT);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", keep);
  const [code] = (await once(child, "close")) as [number | null];
  return { verdict: code === 0 ? "succeeds" : code === CANNOT_TELL ? "unknown" : "fails", output };
}
