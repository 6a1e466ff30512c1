/**
 * Where the user's own ignore rules are (`core.excludesFile`).
 *
 * Only git can say: its configuration has includes and conditions of its own. But starting it takes longer than
 * all the rest of a capture in which little changed. So its answer is remembered, with everything that it rests
 * on: the program, the environment, and every configuration file that it read or would have read, there or not.
 * An answer that rests on more than these (includes, a worktree's configuration, the command line) is not.
 */
import { createHash } from "node:crypto";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";

/** Asked once, when a workspace is opened. `memory` is a file that answers are remembered in. */
export async function globalExcludesFile(root: string, memory: string): Promise<string> {
  const remembered = recall(memory);
  const known = remembered[root];
  if (known && known.basis === digest(basisOf(root, known.files))) return known.answer;
  const { answer, files } = await ask(root);
  const basis = files && basisOf(root, files);
  if (basis && !isRecent(basis)) {
    remember(memory, { ...remembered, [root]: { answer, files, basis: digest(basis) } });
  }
  return answer;
}

interface Remembered {
  readonly answer: string;
  /** The configuration files that git named. */
  readonly files: readonly string[];
  readonly basis: string;
}

async function ask(root: string): Promise<{ answer: string; files: string[] | undefined }> {
  const [configured = "", list] = await Promise.all([
    git(["-C", root, "config", "--path", "--get", "core.excludesFile"]),
    git(["-C", root, "config", "--list", "--show-origin", "--name-only", "-z"]),
  ]);
  const named = configured.replace(/\n$/, "");
  // Not configured, or no git: then the default is what git would read.
  const answer = named === "" ? join(configurationHome(), "git", "ignore") : resolve(root, named);
  return { answer, files: list === undefined ? undefined : filesIn(root, list) };
}

async function git(args: readonly string[]): Promise<string | undefined> {
  // Loaded only here: it takes a while too.
  const { execFile } = await import("node:child_process");
  return new Promise((answer) => {
    execFile("git", args, { encoding: "utf8" }, (error, output) => answer(error ? undefined : output));
  });
}

/** The files that a list of origins and names is from; undefined where it is not from files alone. */
function filesIn(root: string, list: string): string[] | undefined {
  const files = new Set<string>();
  const fields = list.split("\0");
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [origin = "", name = ""] = [fields[index], fields[index + 1]];
    if (!origin.startsWith("file:") || /^include(if)?\.|^extensions\.worktreeconfig$/i.test(name)) return undefined;
    files.add(resolve(root, origin.slice("file:".length)));
  }
  return [...files];
}

interface Basis {
  readonly files: readonly (readonly [path: string, look: Look])[];
  readonly environment: readonly (readonly [string, string | undefined])[];
}

type Look = "none" | "directory" | { readonly ino: number; readonly size: number; readonly ctime: number };

function basisOf(root: string, named: readonly string[]): Basis {
  const programs = (process.env["PATH"] ?? "").split(delimiter).map((directory) => join(directory, "git"));
  const found = programs.findIndex((path) => lookAt(path) !== "none");
  const program = programs[found] ?? "/";
  const paths = [
    ...programs.slice(0, found + 1),
    ...["/etc/gitconfig", join(dirname(dirname(program)), "etc", "gitconfig")],
    ...[join(configurationHome(), "git", "config"), join(homedir(), ".gitconfig")],
    ...ancestors(root).flatMap((directory) => [join(directory, ".git"), join(directory, ".git", "config")]),
    ...named,
  ];
  return {
    files: paths.map((path) => [path, lookAt(path)] as const),
    environment: Object.entries(process.env)
      .filter(([name]) => name.startsWith("GIT_"))
      .sort(),
  };
}

/** Not the basis itself: what is in the environment is nobody's to keep. */
function digest(basis: Basis): string {
  return createHash("sha256").update(JSON.stringify(basis)).digest("hex");
}

/** Through links: a configuration is often one. Kernels set ctime; nobody can put it back. */
function lookAt(path: string): Look {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return "none";
    // Every git command changes the times of a `.git`.
    return stat.isDirectory() ? "directory" : { ino: stat.ino, size: stat.size, ctime: stat.ctimeMs };
  } catch {
    return "none";
  }
}

/** Whether a file was changed so lately that a change after it could look the same. */
function isRecent({ files }: Basis): boolean {
  const since = Date.now() - 2_100;
  return files.some(([, look]) => typeof look === "object" && look.ctime > since);
}

function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...ancestors(parent)];
}

function configurationHome(): string {
  return process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config");
}

/** It may be lost: what cannot be read is not remembered, and what cannot be written is asked again. */
function recall(memory: string): Record<string, Remembered> {
  try {
    return JSON.parse(readFileSync(memory, "utf8")) ?? {};
  } catch {
    return {};
  }
}

function remember(memory: string, all: Record<string, Remembered>): void {
  const aside = `${memory}.${process.pid}`;
  try {
    writeFileSync(aside, JSON.stringify(all), { mode: 0o600 });
    renameSync(aside, memory);
  } catch {
    // As above.
  }
}
