/**
 * The instruction files that apply to a workspace: `AGENTS.md` and `CLAUDE.md` of the user's configuration, of the
 * directories from the git root down to the workspace, and of a subdirectory when a file in it is touched. Files of a
 * repository are foreign text: each is sent up to a limit, and `retake status` names them.
 */
import { readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { leadsInto } from "@retake/workspace";
import type { OutsideFiles } from "./outside-files.ts";

export interface InstructionFile {
  /** Relative to the workspace where it belongs to the repository. */
  readonly name: string;
  /** The text as it is sent. */
  readonly text: string;
  /** The size of the file; more than was sent when it was cut. */
  readonly bytes: number;
}

interface InstructionPlaces {
  /** The workspace. */
  readonly root: string;
  /** The directory of `config.toml`. */
  readonly config: string;
  readonly outside: OutsideFiles;
}

/** From the most general to the most specific. */
export function findInstructions({ root, config, outside }: InstructionPlaces): InstructionFile[] {
  const own = FILE_NAMES.flatMap((name) => read(join(config, name), `${name}${OF_THE_USER}`));
  const parents = parentsInRepository(root).flatMap((directory) =>
    FILE_NAMES.flatMap((name) => readInside(join(directory, name), `${relative(root, directory)}/${name}`, directory)),
  );
  return bounded([...own, ...parents, ...ofDirectory(".", outside)]);
}

/** The files of the directories between the workspace and paths in it, which are relative to it. */
export function instructionsAbove(paths: readonly string[], outside: OutsideFiles): InstructionFile[] {
  const directories = new Set<string>();
  for (const path of paths) {
    for (let directory = dirname(path); directory !== "." && directory !== "/"; directory = dirname(directory))
      directories.add(directory);
  }
  return bounded([...directories].sort().flatMap((directory) => ofDirectory(directory, outside)));
}

/** Marks the user's own files; no path in a workspace is taken for one. */
export const OF_THE_USER = " of the user's configuration";

const FILE_NAMES = ["AGENTS.md", "CLAUDE.md"] as const;

/** How much of one file is sent, and of all files together. */
const LONGEST = 32 * 1024;
const LONGEST_OF_ALL = 128 * 1024;

function ofDirectory(directory: string, outside: OutsideFiles): InstructionFile[] {
  return FILE_NAMES.flatMap((file) => {
    const name = directory === "." ? file : `${directory}/${file}`;
    const path = outside.find(name);
    return path === undefined ? [] : read(path, name);
  });
}

/** The directories above the workspace that belong to its git repository, the outermost first. */
function parentsInRepository(root: string): string[] {
  const parents: string[] = [];
  for (let directory = root; ; directory = dirname(directory)) {
    if (directory !== root) parents.unshift(directory);
    if (statSync(join(directory, ".git"), { throwIfNoEntry: false })) return parents;
    if (directory === dirname(directory)) return [];
  }
}

/** A link that leads out of the directory is not followed: nobody approved its target. */
function readInside(path: string, name: string, directory: string): InstructionFile[] {
  try {
    return leadsInto(directory, path) ? read(path, name) : [];
  } catch {
    return [];
  }
}

function read(path: string, name: string): InstructionFile[] {
  try {
    const stats = statSync(path);
    // Reading a FIFO would wait for ever, and a huge file would fill the memory.
    if (!stats.isFile() || stats.size > LARGEST) return [];
    const text = readFileSync(path, "utf8").toWellFormed();
    return text.trim() === "" ? [] : [{ name, text: cut(text), bytes: stats.size }];
  } catch {
    return [];
  }
}

const LARGEST = 16 * 1024 * 1024;

function cut(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, LONGEST).toWellFormed()}\n\n(Cut here: the file is longer than ${LONGEST / 1024} KB.)`;
}

/** Without files that say the same, for instance through a link, and without those that no longer fit. */
function bounded(files: readonly InstructionFile[]): InstructionFile[] {
  const texts = new Set<string>();
  let total = 0;
  return files.filter(({ text }) => {
    if (texts.has(text) || total + text.length > LONGEST_OF_ALL) return false;
    texts.add(text);
    total += text.length;
    return true;
  });
}
