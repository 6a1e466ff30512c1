import { existsSync, lstatSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { join, sep } from "node:path";
import { bytePath, diskPath, gitDirectory, homeDirectory, realPathIn, registeredHome } from "@retake/workspace";
import { KEYS_IN_HOME, KEYS_OF_SYSTEM, RUNTIME_LINKS } from "./hidden-names.ts";
import { temporaryParent } from "./temporary-parent.ts";

/** The place of one confined command. All paths are absolute, without links, and exist. */
export interface ConfinedPlace {
  /** The workspace: writable. */
  readonly root: string;
  /** Writable, and seen as `/tmp` and `/var/tmp`. */
  readonly temporary: string;
  /** Inside the workspace and not writable: repositories' own directories. */
  readonly readOnly: readonly string[];
  /** Hidden before the workspace is laid over: the workspace may lie inside. */
  readonly hiddenAround: readonly HiddenPath[];
  readonly hidden: readonly HiddenPath[];
  /** Directories of the system that must be seen although what they lie in is hidden. */
  readonly shown: readonly string[];
}

export interface HiddenPath {
  readonly path: string;
  readonly directory: boolean;
}

interface PlaceParts {
  readonly root: string;
  readonly temporary: string;
  /** Directories in the workspace that hold a `.git`, as bytes; the workspace itself need not be among them. */
  readonly repositories: readonly string[];
  /** Retake's own directories. */
  readonly own: readonly string[];
}

/** Looks anew for each command: keys, sockets and repositories come and go. */
export function confinedPlace({ root, temporary, repositories, own }: PlaceParts): ConfinedPlace {
  const homes = [...new Set([homeDirectory(), registeredHome()])].filter((home) => home !== undefined);
  const names = [...homes.flatMap((home) => KEYS_IN_HOME.map((name) => join(home, name))), ...KEYS_OF_SYSTEM, ...own];
  const found = distinct(names.flatMap((name) => existing(name))).filter(
    ({ path }) => path !== "/" && !homes.includes(path),
  );
  const systemRun = existing("/run").filter(({ directory }) => directory);
  // Commands have a `/dev` of their own, too.
  const covered = [...systemRun.map(({ path }) => path), "/dev", "/tmp", "/var/tmp", ...found.map(({ path }) => path)];
  const around = found.filter(({ path }) => isUnder(root, path));
  const sockets = listeningSockets().filter(
    (path) => isUnder(path, root) || !covered.some((each) => isUnder(path, each)),
  );
  return {
    root,
    temporary,
    readOnly: distinctPaths(repositoryPaths(root, repositories), root),
    hiddenAround: [...systemRun, ...around],
    hidden: [
      ...found.filter((each) => !around.includes(each) && !isInPrivate(each.path, root)),
      ...sockets.map((path) => ({ path, directory: false })),
    ],
    shown: RUNTIME_LINKS.flatMap((name) => existing(name)).map(({ path }) => path),
  };
}

/** The place without hidden paths that do not exist any more; undefined where all of them do. */
export function withoutGone(place: ConfinedPlace): ConfinedPlace | undefined {
  const hidden = place.hidden.filter(({ path }) => existsSync(path));
  return hidden.length < place.hidden.length ? { ...place, hidden } : undefined;
}

/** A new directory for the temporary files of confined commands, which ends with `remove`. */
export function temporaryDirectory(): { readonly path: string; remove(): void } {
  const path = realpathSync(mkdtempSync(join(temporaryParent(), "retake-tmp-")));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 2 }) };
}

/** Whether a path is a directory or lies in it. Both are absolute and without links. */
export function isUnder(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : `${directory}${sep}`);
}

/** Confined commands do not see these directories anyway, unless they lie in the workspace. */
function isInPrivate(path: string, root: string): boolean {
  return !isUnder(path, root) && ["/tmp", "/var/tmp", "/run"].some((each) => isUnder(path, each));
}

function existing(path: string, root = "/"): HiddenPath[] {
  try {
    const real = realPathIn(root, path);
    return [{ path: real, directory: lstatSync(real).isDirectory() }];
  } catch {
    return [];
  }
}

/** A path inside another that is listed need not be listed. */
function distinct(paths: readonly HiddenPath[]): HiddenPath[] {
  const byPath = new Map(paths.map((each) => [each.path, each]));
  const directories = [...byPath.values()].filter(({ directory }) => directory);
  return [...byPath.values()].filter(
    ({ path }) => !directories.some((each) => each.path !== path && isUnder(path, each.path)),
  );
}

/** `.git` of the workspace and of each repository in it, and where a `.git` that is a file or a link leads, if inside. */
function repositoryPaths(root: string, repositories: readonly string[]): string[] {
  const all = ["", ...repositories].flatMap((directory) => {
    const bytes = directory === "" ? bytePath(root) : `${bytePath(root)}/${directory}`;
    const text = Buffer.from(bytes, "latin1").toString("utf8");
    // A program's arguments are UTF-8. For a path that is not, the whole directory around it is made read-only.
    if (bytePath(text) !== bytes) return [readableAncestor(root, directory)];
    const git = `${text}/.git`;
    if (!existsSync(git) && !isLink(git)) return [];
    const actual = existing(Buffer.from(diskPath(gitDirectory(bytes), "")).toString("utf8"), root);
    return [git, ...actual.map(({ path }) => path).filter((path) => isUnder(path, root))];
  });
  return all.filter((path) => existsSync(path));
}

function readableAncestor(root: string, directory: string): string {
  const names = directory.split("/");
  const bad = names.findIndex((name) => bytePath(Buffer.from(name, "latin1").toString("utf8")) !== name);
  return [root, ...names.slice(0, bad)].join("/");
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** By their real paths: a mount over a link would cover the link's target. */
function distinctPaths(paths: readonly string[], root: string): string[] {
  return [...new Set(paths.flatMap((path) => existing(path, root)).map(({ path }) => path))];
}

/**
 * The sockets that other processes listen at, by path. A read-only mount does not keep a process from connecting to
 * one, and the listening process may act for it: a container service, a terminal multiplexer, an agent that holds keys.
 */
function listeningSockets(): string[] {
  try {
    const lines = readFileSync("/proc/net/unix", "utf8").split("\n").slice(1);
    const paths = lines.flatMap((line) => / (\/.*)$/.exec(line)?.[1] ?? []);
    return [...new Set(paths)].filter(isSocket);
  } catch {
    return [];
  }
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket() && realpathSync(path) === path;
  } catch {
    return false;
  }
}
