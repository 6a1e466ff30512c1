/**
 * Finds the user's own ignore rules (`core.excludesFile`).
 *
 * Only git can tell: its configuration has includes and conditions. But starting git takes longer than a whole capture
 * with few changes. So its answer is stored with everything it depends on: the program, the environment, and every
 * configuration file that git read or would have read, existing or not. An answer that depends on more (includes, a
 * worktree's configuration, the command line) is not stored.
 */
import { createHash } from "node:crypto";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { homeDirectory } from "../model/home-directory.ts";

/** Called once, when a workspace is opened. `memory` is the file that stores answers. */
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
  /** The configuration files that git listed. */
  readonly files: readonly string[];
  readonly basis: string;
}

async function ask(root: string): Promise<{ answer: string; files: string[] | undefined }> {
  const [configured = "", list] = await Promise.all([
    git(["-C", root, "config", "--path", "--get", "core.excludesFile"]),
    git(["-C", root, "config", "--list", "--show-origin", "--name-only", "-z"]),
  ]);
  const named = configured.replace(/\n$/, "");
  // Without a setting or without git: the default path, which git would read.
  const answer = named === "" ? join(configurationHome(), "git", "ignore") : resolve(root, named);
  return { answer, files: list === undefined ? undefined : filesIn(root, list) };
}

async function git(args: readonly string[]): Promise<string | undefined> {
  // Loaded only here, because loading it takes time too.
  const { execFile } = await import("node:child_process");
  return new Promise((answer) => {
    execFile("git", args, { encoding: "utf8" }, (error, output) => answer(error ? undefined : output));
  });
}

/** The files in a list of origins and names; undefined when some origin is not a file. */
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
    ...[join(configurationHome(), "git", "config"), join(home(), ".gitconfig")],
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

/** Only a hash: the environment may hold secrets, which must not be stored. */
function digest(basis: Basis): string {
  return createHash("sha256").update(JSON.stringify(basis)).digest("hex");
}

/** Follows links: a configuration file is often a link. The kernel sets ctime; no program can set it back. */
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

/** Whether a file changed so recently that another change could have the same time. */
function isRecent({ files }: Basis): boolean {
  const since = Date.now() - 2_100;
  return files.some(([, look]) => typeof look === "object" && look.ctime > since);
}

function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...ancestors(parent)];
}

function configurationHome(): string {
  return process.env["XDG_CONFIG_HOME"] || join(home(), ".config");
}

function home(): string {
  return homeDirectory() ?? "/";
}

/**
 * The memory may be lost: an unreadable file gives no answers, and an answer that cannot be written is computed again.
 */
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
    // The answer is computed again next time.
  }
}
