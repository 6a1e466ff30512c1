import { spawn } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { isObject, type Json, type JsonObject } from "@retake/core";
import type { Environment } from "../store/directories.ts";
import { gitEnvironment } from "./git-environment.ts";

/**
 * The state of git in the workspace (L10), without ever writing to its repository. HEAD, refs and config are read as
 * files: that is exact, takes no process, and works without git. Only for uncommitted changes git itself is run, for a
 * limited time.
 *
 *     <root or above>/.git   directory, or a file that names one (worktree, submodule)
 *       HEAD                   `ref: refs/heads/<branch>`, or a commit when detached
 *       commondir              in a worktree: where refs and config are
 *       refs/…, packed-refs    what a branch points to; in neither before the first commit
 */
export async function readGitContext(root: string, options: GitOptions): Promise<GitContext | undefined> {
  const refs = await readGitRefs(root);
  return refs && { ...refs, dirty: (await namesPrograms(root)) ? null : await isDirty(root, options) };
}

/**
 * Whether the repository's own config names filters, which `git status` would run, or may include a file that does. A
 * confined command can make a repository with such a config: outside of the confinement nothing of it must run.
 */
async function namesPrograms(root: string): Promise<boolean> {
  const directory = await gitDirectory(root);
  if (directory === undefined) return false;
  const common = resolve(directory, ((await readText(join(directory, "commondir"))) ?? ".").trim());
  const files = [join(common, "config"), join(directory, "config.worktree")];
  const configs = await Promise.all(files.map(readText));
  return configs.some((text) => /\[\s*(?:filter|include)/i.test(text ?? ""));
}

/** The part that needs no process. */
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

/** A null is unknown or absent: no branch when detached, no commit before the first. */
export type GitContext = {
  readonly branch: string | null;
  readonly commit: string | null;
  readonly remote: string | null;
  readonly dirty: boolean | null;
};

export interface GitOptions {
  readonly environment: Environment;
  readonly git?: string;
  readonly timeout_ms?: number;
  /** When it fires, git is no longer waited for. */
  readonly signal?: AbortSignal;
}

/** The thread's record of git: its state at the start, its state now, and every commit seen, in order. */
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

/** The content of HEAD when refs are not files at all (reftable). */
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

/** Follows a ref: the last ref of the chain, and its commit if it has one. */
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

/** The first value of each key, `section.subsection.key`, with the subsection as written. Includes are not followed. */
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

/** A comment ends the value, quotes keep their content, a backslash keeps the next character. */
function configValue(text: string): string {
  const [value = ""] = /^(?:"(?:[^"\\]|\\.)*"|\\.|[^"\\#;])*/.exec(text) ?? [];
  return value.trim().replaceAll(/\\(.)|"/g, "$1");
}

/** The branch's own remote, otherwise `origin`, otherwise the first one: as git would fetch. */
function remoteOf(config: ReadonlyMap<string, string>, branch: string | null): string | null {
  const own = branch === null ? undefined : config.get(`branch.${branch}.remote`);
  const first = [...config.keys()].find((key) => /^remote\..*\.url$/s.test(key));
  const url = config.get(`remote.${own ?? "origin"}.url`) ?? config.get("remote.origin.url") ?? config.get(first ?? "");
  return url === undefined || url === "" ? null : withoutCredentials(url);
}

/**
 * A user before `@` is a login over ssh, but may be a token over http, and so may a query; a password is secret
 * everywhere.
 */
function withoutCredentials(url: string): string {
  const [, protocol, login = "", path = ""] = /^(.*?:\/\/)(?:([^/?#]*)@)?(.*)$/s.exec(url) ?? [];
  if (protocol === undefined) return url.replace(/^[^/@]*:[^/@]*@/, "");
  if (!/ssh:\/\/$/i.test(protocol)) return `${protocol}${path.replace(/[?#].*$/s, "")}`;
  const user = login.replace(/:.*$/s, "");
  return `${protocol}${user === "" ? "" : `${user}@`}${path}`;
}

/**
 * As `git status` sees it, including untracked files. No optional locks: otherwise status would write a refreshed
 * index. No file system monitor: the repository's config names the program to run.
 */
function isDirty(
  root: string,
  { environment, git = "git", timeout_ms = 5000, signal }: GitOptions,
): Promise<boolean | null> {
  const args = ["--no-optional-locks", "-c", "core.fsmonitor=false", "status", "--porcelain"];
  return new Promise((settle) => {
    const child = spawn(git, args, {
      cwd: root,
      env: gitEnvironment(environment),
      stdio: ["ignore", "pipe", "ignore"],
    });
    // Missing when the process could not be given pipes, although its type says otherwise.
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

/** Never waits for a FIFO and never fills the memory: a workspace may contain anything under any name. */
async function readText(path: string): Promise<string | undefined> {
  try {
    const looks = await stat(path);
    return looks.isFile() && looks.size <= LARGEST_FILE ? await readFile(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}
