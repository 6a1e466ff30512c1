import { parseCommandLine, type Redirect, type SimpleCommand, type Word } from "./parse-command-line.ts";

/**
 * The programs that a command line runs, with their arguments: a program after `sudo`, `env`, `xargs`, `sh -c`, `find
 * -exec` and the like is listed on its own.
 */
export function listPrograms(line: string, depth = 0): Program[] {
  if (depth > DEEPEST) return [];
  return parseCommandLine(line).flatMap((command) => programsOf(command, depth));
}

export interface Program {
  /** Without its directory. Empty where a redirect stands alone. */
  readonly name: string;
  readonly arguments: readonly Word[];
  readonly redirects: readonly Redirect[];
}

const DEEPEST = 5;

function programsOf({ words, redirects, input }: SimpleCommand, depth: number): Program[] {
  const [first, ...rest] = words.slice(words.findIndex((word) => !isPrefix(word)));
  if (first === undefined || words.every(isPrefix)) return [{ name: "", arguments: [], redirects }];
  const program: Program = { name: baseName(first.text), arguments: rest, redirects };
  return [program, ...programsInside(program, input, depth)];
}

function programsInside(program: Program, input: string | undefined, depth: number): Program[] {
  const { name } = program;
  const words = program.arguments;
  const inner = (inside: readonly Word[]) =>
    depth > DEEPEST || inside.length === 0 ? [] : programsOf({ words: inside, redirects: [] }, depth + 1);

  const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  if (wrapper) return inner(words.slice(startOfCommand(words, wrapper)));
  if (name === "eval") return listPrograms(words.map(({ text }) => text).join(" "), depth + 1);
  if (shells.has(name)) {
    const script = words[words.findIndex(({ text }) => /^-[a-z]*c$/.test(text)) + 1];
    const given = words.some(({ text }) => /^-[a-z]*c$/.test(text)) ? script?.text : input;
    return given === undefined ? [] : listPrograms(given, depth + 1);
  }
  if (/^python[\d.]*$/.test(name)) {
    const module = words.findIndex(({ text }) => text === "-m");
    return module < 0 ? [] : inner(words.slice(module + 1));
  }
  if (name === "find" || name === "fd") {
    const start = words.findIndex(({ text }) => /^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec)$/.test(text));
    return start < 0 ? [] : inner(words.slice(start + 1).filter(({ text }) => text !== ";" && text !== "+"));
  }
  return [];
}

/** Assignments, and the words a shell keeps for itself. */
function isPrefix({ text, quoted }: Word): boolean {
  return !quoted && (/^[A-Za-z_]\w*\+?=/.test(text) || reserved.has(text));
}

const reserved = new Set(["if", "then", "elif", "else", "fi", "do", "done", "while", "until", "!", "{", "}", "time"]);
const shells = new Set(["sh", "bash", "zsh", "dash", "ksh", "fish"]);

interface Wrapper {
  /** Options that take the next word as their value. */
  readonly takes?: readonly string[];
  /** How many words come before the command. */
  readonly operands?: number;
}

const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: { takes: ["-u", "-g", "-h", "-p", "-C", "-D", "-R", "-T", "-U", "--user", "--group", "--chdir"] },
  doas: { takes: ["-u", "-C"] },
  env: { takes: ["-u", "-C", "-S", "--unset", "--chdir"] },
  xargs: { takes: ["-n", "-P", "-I", "-L", "-d", "-E", "-s", "-a", "--max-args", "--max-procs", "--delimiter"] },
  parallel: { takes: ["-j", "--jobs"] },
  timeout: { takes: ["-s", "-k", "--signal", "--kill-after"], operands: 1 },
  nice: { takes: ["-n", "--adjustment"] },
  ionice: { takes: ["-c", "-n", "-p"] },
  stdbuf: { takes: ["-i", "-o", "-e"] },
  watch: { takes: ["-n", "--interval"] },
  strace: { takes: ["-e", "-o", "-p", "-s"] },
  flock: { takes: ["-w", "-E"], operands: 1 },
  chroot: { operands: 1 },
  nohup: {},
  setsid: {},
  command: {},
  builtin: {},
  exec: { takes: ["-a"] },
  time: {},
  npx: { takes: ["-p", "--package", "-w", "--workspace"] },
  bunx: {},
  unbuffer: {},
  busybox: {},
};

function startOfCommand(words: readonly Word[], { takes = [], operands = 0 }: Wrapper): number {
  let left = operands;
  for (let at = 0; at < words.length; at += 1) {
    const text = words[at]?.text ?? "";
    if (text === "--") return at + 1 + left;
    if (text.startsWith("-") && text !== "-") {
      if (takes.includes(text)) at += 1;
    } else if (!/^[A-Za-z_]\w*=/.test(text)) {
      if (left === 0) return at;
      left -= 1;
    }
  }
  return words.length;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
