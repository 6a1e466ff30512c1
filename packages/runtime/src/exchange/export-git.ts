/**
 * A git repository whose commits are the turns of a take, each with the files after it. It is made in a new directory
 * by `git fast-import`, so any git can read it; no other repository is touched.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { activeTake, entryById, type Refusal, recordsOf, refuse, type State, tree } from "@retake/core";
import type { WorkspaceFiles } from "@retake/workspace";
import type { Workspace } from "../workspace/open-workspace.ts";

export interface ExportedGit {
  readonly directory: string;
  readonly commits: number;
}

export function exportGit(workspace: Workspace, thread: string, target: string, at?: string): ExportedGit | Refusal {
  if (existsSync(target) && readdirSync(target).length > 0)
    return refuse("already-exists", `'${target}' is not empty. Nothing was written; name a new directory.`);
  const commits = workspace.store.read(thread, (history) =>
    commitsOf(at === undefined ? history.state : history.stateAt(at)),
  );
  const made = !existsSync(target);
  mkdirSync(target, { recursive: true });
  const git = (args: string[], input?: Buffer) =>
    spawnSync("git", args, { cwd: target, input: input ?? Buffer.alloc(0) });
  const steps: (() => ReturnType<typeof git>)[] = [
    () => git(["init", "-q", "--initial-branch=retake"]),
    () => git(["fast-import", "--quiet"], fastImport(commits, workspace.files(thread))),
    () => git(["reset", "-q", "--hard"]),
  ];
  for (const step of steps) {
    const { status, stderr, error } = step();
    if (status === 0) continue;
    rmSync(made ? target : `${target}/.git`, { recursive: true, force: true });
    const why = error ? "git is not installed" : String(stderr).trim().split("\n")[0];
    return refuse("invalid-input", `The repository could not be made: ${why}. Nothing was kept.`);
  }
  return { directory: target, commits: commits.length };
}

interface Commit {
  readonly message: string;
  readonly author: string;
  readonly at: number;
  readonly tree: string;
}

function commitsOf(state: State): Commit[] {
  const take = activeTake(state);
  const turns = [...recordsOf(state, take, "turn")].map(([, turn]) => turn);
  turns.sort((a, b) => Number(a["number"]) - Number(b["number"]));
  const commits = turns.map((turn) => {
    const answer = entryById(state, take, String(turn["prompt_entry"]))?.content ?? String(turn["prompt"]);
    return {
      message: answer,
      author: String(turn["model"] ?? "agent"),
      at: Date.parse(String(turn["ended_at"] ?? turn["started_at"])),
      tree: String(turn["tree_after"] ?? turn["tree_before"] ?? ""),
    };
  });
  const first = turns[0];
  const start = {
    message: "Before the first turn",
    author: "Retake",
    at: Date.parse(String(first?.["started_at"] ?? "1970-01-01T00:00:00Z")),
    tree: String(first?.["tree_before"] ?? tree(state, take)),
  };
  return [start, ...commits].filter((commit) => commit.tree !== "");
}

function fastImport(commits: readonly Commit[], workspace: WorkspaceFiles): Buffer {
  const out: Buffer[] = [];
  const say = (text: string) => out.push(Buffer.from(text));
  const data = (content: Buffer) => {
    say(`data ${content.byteLength}\n`);
    out.push(content);
    say("\n");
  };
  const marks = new Map<string, number>();
  for (const commit of commits) {
    const files = [...workspace.files(commit.tree).entries()].filter(
      ([, state]) => state.kind !== "directory" && !state.ignored,
    );
    for (const [path, state] of files) {
      if (state.kind === "directory" || marks.has(state.hash)) continue;
      marks.set(state.hash, marks.size + 1);
      say(`blob\nmark :${marks.size}\n`);
      data(workspace.objects.read(state.hash, path));
    }
    const when = `${Math.floor(commit.at / 1000)} +0000`;
    const name = commit.author.replace(/[<>\n]/g, " ").trim();
    say("commit refs/heads/retake\n");
    say(`author ${name} <${name.replace(/[^\w.-]+/g, "-").toLowerCase()}@retake.invalid> ${when}\n`);
    say(`committer Retake <retake@retake.invalid> ${when}\n`);
    data(Buffer.from(commit.message.trim() === "" ? "(no prompt)" : commit.message));
    say("deleteall\n");
    for (const [path, state] of files) {
      if (state.kind === "directory") continue;
      const mode = state.kind === "link" ? "120000" : (state.mode & 0o100) !== 0 ? "100755" : "100644";
      say(`M ${mode} :${marks.get(state.hash)} `);
      out.push(quotedPath(path));
      say("\n");
    }
  }
  say("done\n");
  return Buffer.concat(out);
}

/** As git quotes them: special bytes are written as octal numbers. */
function quotedPath(path: string): Buffer {
  const quoted = path.replace(/[^ !#-[\]-~]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, "0")}`);
  return Buffer.from(`"${quoted}"`, "latin1");
}
