/**
 * A git repository whose commits are the turns of a take, each with the files after it. It is made in a new directory
 * by `git fast-import`, so any git can read it; no other repository is touched.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  activeTake,
  entryById,
  type History,
  kindOf,
  type Refusal,
  recordsOf,
  refuse,
  reverseChange,
  type State,
  type Transition,
  tree,
  treeIn,
} from "@retake/core";
import type { WorkspaceFiles } from "@retake/workspace";
import { gitEnvironment } from "../runner/git-environment.ts";
import type { Workspace } from "../workspace/open-workspace.ts";

export interface ExportedGit {
  readonly directory: string;
  readonly commits: number;
}

export function exportGit(workspace: Workspace, thread: string, target: string, at?: string): ExportedGit | Refusal {
  if (existsSync(target) && readdirSync(target).length > 0)
    return refuse("already-exists", `'${target}' is not empty. Nothing was written; name a new directory.`);
  if (!existsSync(dirname(resolve(target))))
    return refuse(
      "not-found",
      `'${target}' cannot be made: the directory around it is not there. Nothing was written.`,
    );
  const commits = workspace.store.read(thread, (history) =>
    commitsOf(history, at === undefined ? history.state : history.stateAt(at)),
  );
  const isNew = !existsSync(target);
  mkdirSync(target, { recursive: true });
  const env = gitEnvironment(process.env);
  const git = (args: string[], input?: Buffer) =>
    spawnSync("git", args, { cwd: target, env, input: input ?? Buffer.alloc(0) });
  const steps: (() => ReturnType<typeof git>)[] = [
    () => git(["init", "-q", "--initial-branch=retake"]),
    () => git(["fast-import", "--quiet"], fastImport(commits, workspace.files(thread))),
    () => git([`--work-tree=${resolve(target)}`, "reset", "-q", "--hard"]),
  ];
  for (const step of steps) {
    const { status, stderr, error } = step();
    if (status === 0) continue;
    rmSync(isNew ? target : `${target}/.git`, { recursive: true, force: true });
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

/**
 * The files before the first turn, then one commit for each turn. Changes by the user, between turns or within one,
 * have commits of their own (F42).
 */
function commitsOf(history: History, state: State): Commit[] {
  const take = activeTake(state);
  const turns = [...recordsOf(state, take, "turn")].map(([, turn]) => turn);
  turns.sort((a, b) => Number(a["number"]) - Number(b["number"]));
  const first = turns[0];
  const start = {
    message: "Before the first turn",
    author: "Retake",
    at: Date.parse(String(first?.["started_at"] ?? "1970-01-01T00:00:00Z")),
    tree: String(first?.["tree_before"] ?? tree(state, take)),
  };
  const commits: Commit[] = [start];
  const between = (tree: string, at: number) => {
    if (tree !== "" && tree !== commits.at(-1)?.tree)
      commits.push({ message: "Files changed between turns", author: "You", at, tree });
  };
  for (const turn of turns) {
    const message = entryById(state, take, String(turn["prompt_entry"]))?.content ?? String(turn["prompt"]);
    const author = String(turn["model"] ?? "agent");
    const [began, ended] = [turn["started_at"], turn["ended_at"] ?? turn["started_at"]].map((at) =>
      Date.parse(String(at)),
    );
    between(String(turn["tree_before"] ?? ""), began ?? 0);
    const last = String(turn["tree_after"] ?? turn["tree_before"] ?? "");
    const parts = transitionsOf(history, String(turn["group"] ?? ""), last);
    let isNew = false;
    for (const { before, after } of parts) {
      between(before, ended ?? 0);
      commits.push({ message: isNew ? `${message}\n\n(continued)` : message, author, at: ended ?? 0, tree: after });
      isNew = true;
    }
    // An imported turn has no known changes. A turn without changes has a commit all the same.
    if (!isNew) commits.push({ message, author, at: ended ?? 0, tree: last });
    else between(last, ended ?? 0);
  }
  if (turns.length > 0) between(tree(state, take), commits.at(-1)?.at ?? 0);
  return commits.filter((commit) => commit.tree !== "");
}

/** The changes of a turn's operations to the files, oldest first; consecutive ones are one. */
function transitionsOf(history: History, group: string, last: string): Transition[] {
  const found: { before: string; after: string }[] = [];
  const changes = history.group(group).flatMap(({ diff }) => diff.changes);
  const trees = changes
    .filter(({ id }) => kindOf(id) === "workspace")
    .map((change) => ({ before: treeIn(reverseChange(change)), after: treeIn(change) }));
  // A branch within the turn ends there.
  const end = trees.findLastIndex(({ after }) => after === last);
  for (const { before, after } of end < 0 ? trees : trees.slice(0, end + 1)) {
    const newest = found.at(-1);
    if (newest?.after === before) newest.after = after;
    else found.push({ before, after });
  }
  return found;
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
