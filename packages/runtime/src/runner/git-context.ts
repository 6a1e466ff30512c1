import { spawn } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { isObject, type Json, type JsonObject } from "@retake/core";

/**
 * What git says of the workspace (L10), without ever writing to its repository. HEAD, refs and config
 * are read as files: that is exact, takes no process, and works where git is not installed. Only
 * whether there are uncommitted changes is git's to say, and it is given limited time for it.
 *
 *     <root or above>/.git   directory, or a file that names one (worktree, submodule)
 *       HEAD                   `ref: refs/heads/<branch>`, or a commit when detached
 *       commondir              in a worktree: where refs and config are
 *       refs/…, packed-refs    what a branch points to; in neither before the first commit
 */
export async function readGitContext(root: string, options: GitOptions = {}): Promise<GitContext | undefined> {
  const refs = await readGitRefs(root);
  return refs && { ...refs, dirty: await isDirty(root, options) };
}

/** What can be said without a process. */
export async function readGitRefs(root: string): Promise<Omit<GitContext, "dirty"> | undefined> {
  const directory = await gitDirectory(root);
  if (directory === undefined) return undefined;
  const common = resolve(directory, ((await readText(join(directory, "commondir"))) ?? ".").trim());
  const head = await followRef("HEAD", directory, common);
  const branch = head.ref?.replace(/^refs\/heads\//, "") ?? null;
  const config = readConfig((await readText(join(common, "config"))) ?? "");
  return {
    branch: branch === UNREADABLE_BRANCH ? null : branch,
    commit: head.commit ?? null,
    remote: remoteOf(config, branch),
  };
}

/** A null is not known, or not there: no branch when detached, no commit before the first. */
export type GitContext = {
  readonly branch: string | null;
  readonly commit: string | null;
  readonly remote: string | null;
  readonly dirty: boolean | null;
};

export interface GitOptions {
  readonly git?: string;
  readonly timeout_ms?: number;
  /** When it fires, git is not waited for any longer. */
  readonly signal?: AbortSignal;
}

/** What the thread's record of git becomes: how it was at the start, how it is now, and every commit seen, in order. */
export function noteGitContext(noted: JsonObject | undefined, seen: GitContext | undefined): JsonObject {
  const now: Json = seen ?? null;
  const commits = (Array.isArray(noted?.["commits"]) ? noted["commits"] : []) as readonly string[];
  const commit = seen?.commit ?? undefined;
  return {
    start: isObject(noted) && noted["start"] !== undefined ? noted["start"] : now,
    now,
    commits: commit === undefined || commits.includes(commit) ? commits : [...commits, commit],
  };
}

/** What HEAD says where refs are not files at all (reftable). */
const UNREADABLE_BRANCH = ".invalid";
const LARGEST_FILE = 64 * 1024 * 1024;

async function gitDirectory(root: string): Promise<string | undefined> {
  for (let folder = resolve(root); ; folder = dirname(folder)) {
    const path = join(folder, ".git");
    const named = /^gitdir: (.*?)\r?\n?$/.exec((await readText(path)) ?? "")?.[1];
    const directory = named === undefined ? path : resolve(folder, named);
    if ((await readText(join(directory, "HEAD"))) !== undefined) return directory;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Where a ref leads: the last ref of the chain, and its commit if it has one. */
async function followRef(
  start: string,
  directory: string,
  common: string,
): Promise<{ readonly ref?: string; readonly commit?: string }> {
  let ref = start;
  for (let hops = 0; hops < 5; hops += 1) {
    const folder = ref === "HEAD" ? directory : common;
    const text = (await readText(join(folder, ref)))?.trim() ?? (await packedRef(ref, common)) ?? "";
    const next = /^ref: (refs\/.*)$/.exec(text)?.[1];
    if (next === undefined || next.includes("..")) {
      const named = ref === "HEAD" ? {} : { ref };
      return isCommit(text) ? { ...named, commit: text } : named;
    }
    ref = next;
  }
  return { ref };
}

async function packedRef(ref: string, common: string): Promise<string | undefined> {
  const packed = await readText(join(common, "packed-refs"));
  const line = packed?.split("\n").find((each) => each.endsWith(` ${ref}`));
  return line?.slice(0, line.length - ref.length - 1);
}

function isCommit(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/** The first value of each key, `section.subsection.key`, the subsection as it is written. Includes are not followed. */
function readConfig(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let section = "";
  for (const line of text.replaceAll(/\\\r?\n/g, "").split(/\r?\n/)) {
    const [, name, subsection] = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line) ?? [];
    if (name !== undefined) {
      section = [name.toLowerCase(), subsection?.replaceAll(/\\(.)/g, "$1")]
        .filter((part) => part !== undefined)
        .join(".");
    }
    const [, key, value] = /^\s*(?:\[[^\]]*\])?\s*([A-Za-z][\w-]*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    const full = `${section}.${key.toLowerCase()}`;
    if (!values.has(full)) values.set(full, configValue(value));
  }
  return values;
}

/** Comments end it, quotes keep what is in them, a backslash the character behind it. */
function configValue(text: string): string {
  const [value = ""] = /^(?:"(?:[^"\\]|\\.)*"|\\.|[^"\\#;])*/.exec(text) ?? [];
  return value.trim().replaceAll(/\\(.)|"/g, "$1");
}

/** The branch's own remote, else `origin`, else the first there is: as git would fetch. */
function remoteOf(config: ReadonlyMap<string, string>, branch: string | null): string | null {
  const own = branch === null ? undefined : config.get(`branch.${branch}.remote`);
  const first = [...config.keys()].find((key) => /^remote\..*\.url$/s.test(key));
  const url = config.get(`remote.${own ?? "origin"}.url`) ?? config.get("remote.origin.url") ?? config.get(first ?? "");
  return url === undefined || url === "" ? null : withoutCredentials(url);
}

/** A user before `@` is a login over ssh and may be a token over http, as a query may; a password is one everywhere. */
function withoutCredentials(url: string): string {
  const [, protocol, login = "", path = ""] = /^(.*?:\/\/)(?:([^/?#]*)@)?(.*)$/s.exec(url) ?? [];
  if (protocol === undefined) return url.replace(/^[^/@]*:[^/@]*@/, "");
  if (!/ssh:\/\/$/i.test(protocol)) return `${protocol}${path.replace(/[?#].*$/s, "")}`;
  const user = login.replace(/:.*$/s, "");
  return `${protocol}${user === "" ? "" : `${user}@`}${path}`;
}

/**
 * As `git status` sees it, untracked files included. No optional locks: status would otherwise write
 * a refreshed index. No file system monitor: the repository's config names the program to run.
 */
function isDirty(root: string, { git = "git", timeout_ms = 5000, signal }: GitOptions): Promise<boolean | null> {
  const args = ["--no-optional-locks", "-c", "core.fsmonitor=false", "status", "--porcelain"];
  return new Promise((settle) => {
    const child = spawn(git, args, { cwd: root, env: gitEnvironment(), stdio: ["ignore", "pipe", "ignore"] });
    // Missing where the process could not even be given pipes, whatever its type says.
    const output = child.stdout as Readable | undefined;
    const answer = (dirty: boolean | null): void => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      output?.destroy();
      settle(dirty);
    };
    const timer = setTimeout(answer, timeout_ms, null);
    signal?.addEventListener("abort", () => answer(null), { once: true });
    if (signal?.aborted) answer(null);
    // One changed file answers the question.
    output?.once("data", () => answer(true));
    child.on("error", () => answer(null));
    child.once("close", (code) => answer(code === 0 ? false : null));
  });
}

/** Without `GIT_DIR` and the like, which would make it speak of another repository. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^GIT_(?!CONFIG|EXEC_PATH)/.test(name));
  return { ...Object.fromEntries(inherited), GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
}

/** Never waits for a FIFO and never fills the memory: a workspace may hold anything under any name. */
async function readText(path: string): Promise<string | undefined> {
  try {
    const looks = await stat(path);
    return looks.isFile() && looks.size <= LARGEST_FILE ? await readFile(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
