import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { type Located, locatePath } from "../locate-path.ts";
import type { ToolRoots } from "../tool.ts";
import type { Program } from "./list-programs.ts";
import type { Word } from "./parse-command-line.ts";
import { ProgramArguments } from "./program-arguments.ts";

/**
 * The paths that programs were seen to name, and which of them they change. `cd` is followed from one
 * program to the next.
 *
 * A word counts as a path if something is there, or if a program that creates files is to create it; patterns (`sed
 * '/x/d'`, `--exclude=.git`) look like paths and are not. This is a best effort and no sandbox.
 */
export function pathsInPrograms(programs: readonly Program[], place: ToolRoots): PathsInPrograms {
  const found: PathInProgram[] = [];
  let directory = place.root;
  let looked = 0;
  for (const program of programs) {
    for (const { text, writes } of wordsThatAreFiles(program)) {
      looked += 1;
      if (looked > MOST_LOOKED || found.length >= MOST_PATHS) return { found, whole: false };
      const located = locatePath(text, place, directory);
      if (isDevice(located.absolute)) continue;
      const there = existsSync(located.absolute) || located.place === "git-directory";
      if (there || writes || hasExistingParent(located)) found.push({ located, writes, by: program.name });
    }
    if (changesDirectory.has(program.name)) directory = goTo(program, place, directory);
  }
  return { found, whole: true };
}

interface PathsInPrograms {
  readonly found: readonly PathInProgram[];
  /** False where there were too many words to look at them all. */
  readonly whole: boolean;
}

export interface PathInProgram {
  readonly located: Located;
  /** It is changed, as far as one can tell. */
  readonly writes: boolean;
  /** The program's name; empty for a redirect that stands alone. */
  readonly by: string;
}

interface FileWord {
  readonly text: string;
  readonly writes: boolean;
}

const MOST_PATHS = 200;
const MOST_LOOKED = 1000;
const LONGEST_PATH = 4096;
const changesDirectory = new Set(["cd", "pushd"]);

function wordsThatAreFiles(program: Program): FileWord[] {
  const redirected = program.redirects.flatMap(({ target, writes }) => fileWord(target, writes));
  const { operands } = new ProgramArguments(program.arguments.map(({ text }) => text));
  const written = new Set(writtenOperands(program, operands));
  const isPattern = patternsOf(program, operands);
  const named = program.arguments.flatMap((word, index) => {
    if (isPattern(word, program.arguments[index - 1])) return [];
    return fileWord(word, written.has(word.text));
  });
  if (program.name === "cd" && operands.length === 0) named.push({ text: "~", writes: false });
  return [...named, ...redirected];
}

/** The path in a word: up to its first wildcard, after `--option=`, `of=` or `-I`. */
function fileWord({ text, expands, quoted }: Word, writes: boolean): FileWord[] {
  if (
    text === "" ||
    text.length > LONGEST_PATH ||
    text.includes("\n") ||
    /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ||
    /^[\w.-]+@[\w.-]+:/.test(text)
  )
    return [];
  const option = /^-(?:[A-Za-z](?=[/~.])|-[\w-]+=)|^(?:of|if)=/.exec(text);
  if (text.startsWith("-") && !option) return [];
  const value = option ? text.slice(option[0].length) : text;
  const wild = quoted && !expands ? -1 : value.search(/[*?[{$]/);
  if (wild < 0) return value === "" ? [] : [{ text: value, writes: writes || option?.[0] === "of=" }];
  const slash = value.lastIndexOf("/", wild);
  return slash < 0 ? [] : [{ text: value.slice(0, slash) || "/", writes }];
}

/** Which operands a program changes. */
function writtenOperands({ name, arguments: words }: Program, operands: readonly string[]): readonly string[] {
  if (changesAll.has(name)) return operands;
  if (changesLast.has(name)) return operands.slice(-1);
  if (changesAllButFirst.has(name)) return operands.slice(1);
  const inPlace =
    (name === "sed" || name === "perl") && words.some(({ text }) => /^(?:-[a-zA-Z]*i|--in-place)/.test(text));
  if (inPlace) return operands.slice(1);
  const deletes = name === "find" && words.some(({ text }) => text === "-delete");
  return deletes ? operands.slice(0, 1) : [];
}

const changesAll = new Set(["rm", "rmdir", "unlink", "shred", "mkdir", "touch", "truncate", "tee", "mv", "mkfifo"]);
const changesLast = new Set(["cp", "ln", "install", "rsync", "scp"]);
const changesAllButFirst = new Set(["chmod", "chown", "chgrp", "setfacl"]);

/** Tells the words that are patterns, scripts or messages. */
function patternsOf({ name, arguments: words }: Program, operands: readonly string[]) {
  if (speaks.has(name)) return () => true;
  const hasOwnOption = words.some(({ text }) => /^(?:-e|-f|--regexp|--expression|--file)\b/.test(text));
  const script = scriptFirst.has(name) && !hasOwnOption ? operands[0] : undefined;
  return ({ text }: Word, previous: Word | undefined): boolean =>
    text === script || PATTERN_OPTION.test(text) || PATTERN_OPTION.test(`${previous?.text ?? ""}=`);
}

const speaks = new Set(["echo", "printf", "export", "alias", "test", "["]);
const scriptFirst = new Set(["grep", "egrep", "fgrep", "rg", "ag", "sed", "awk", "gawk", "jq", "perl", "ack"]);
const PATTERN_OPTION =
  /^(?:--?(?:e|m|g|name|iname|path|ipath|wholename|regex|iregex|not|glob|iglob|message|exclude|exclude-dir|include|ignore|ignore-path|pattern|regexp|expression|grep|format|pretty|author))=/;

/** Something could be made there, and not just anywhere: `/x` and `/foo/d` are more likely patterns. */
function hasExistingParent({ absolute, place }: Located): boolean {
  const parent = dirname(absolute);
  return place === "outside" && parent !== "/" && existsSync(parent);
}

function isDevice(path: string): boolean {
  return /^\/(?:dev\/(?:null|zero|full|tty|u?random|std(?:in|out|err)|fd\/\d+)|proc\/(?:self|\d+)\/fd\/.*)$/.test(path);
}

function goTo(program: Program, place: ToolRoots, from: string): string {
  const [target] = program.arguments.filter(({ text }) => !text.startsWith("-"));
  if (target?.expands) return from;
  return locatePath(target?.text ?? "~", place, from).absolute;
}
