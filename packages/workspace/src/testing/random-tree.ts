/** Seeded random workspaces for the oracle tests, and random changes to them. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";

export type Random = () => number;

/** Mulberry32: small, with the same numbers everywhere for one seed. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: Random, values: readonly T[]): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error("Nothing to pick from");
  return value;
}

const names = [
  "a",
  "b",
  "A",
  "foo",
  "foo.c",
  "foo-c",
  "foo0",
  "Foo",
  "bar",
  "build",
  "dist",
  "x.log",
  "y.log",
  "deep",
  "sub",
  " lead",
  "trail ",
  "tab\there",
  "line\nbreak",
  "cr\rhere",
  "back\\slash",
  'quo"te',
  "star*",
  "q?",
  "[x]",
  "!not",
  "#hash",
  "voil\xc3\xa0",
  "caf\xe9",
  "\xff\xfe",
  "\x01ctl",
  "-dash",
  ".hidden",
  ".env",
  "a.b.c",
  "~",
  "$HOME",
  "e\xcc\x81",
  "\xc3\xa9",
  "node",
  "debug.txt",
  "tmp",
  "0",
  "con",
  "a b",
  "gitx",
  "\xe2\x80\x8cjoin",
];

const patterns = [
  "*.log",
  "build/",
  "/dist",
  "foo*",
  "!foo.c",
  "**/sub",
  "deep/**",
  "a/**/b",
  "sub/*",
  "!sub/keep",
  "*",
  "!*/",
  "!*.c",
  "[a-c]",
  "[!a]*",
  "[[:upper:]]*",
  "?",
  "\\#hash",
  "\\!not",
  "trail\\ ",
  "trail ",
  "# comment",
  "",
  "voil\xc3\xa0",
  "*\xe9",
  "tmp",
  "/tmp/",
  "foo**/bar",
  "**",
  "b/**/",
  "*/a",
  "/*/x.log",
  "[]x]",
  "[",
  "[x",
  "a\\",
  "/",
  "//",
  "!",
  "*.l?g",
  "deep/*/a",
  "\xff*",
  "line*",
  "cr*",
  ".env",
  "!.env",
  "**/a/**",
  "a**b",
  "[\\]]",
  "[[:bogus:]]",
  "[a-",
  "[z-a]",
  "star\\*",
  "**/",
  "/**/foo",
  "sub/**/x.log",
  "*.c\r",
  "[^b]oo",
  "[[:alpha:]-z]*",
  "foo?c",
  "*/",
  "!/build/",
  "\xef\xbb\xbfa",
];

export interface TreeOptions {
  /** With ignore files; without them every path is part of the tree. */
  readonly ignore: boolean;
}

export function growTree(random: Random, root: string, options: TreeOptions): void {
  const size = 2 + Math.floor(random() * 25);
  for (let count = 0; count < size; count += 1) addSomething(random, pickDirectory(random, root), options);
}

/** Makes a few changes as programs do, including awkward ones. */
export function mutateTree(random: Random, root: string, options: TreeOptions): void {
  const count = 1 + Math.floor(random() * 6);
  for (let done = 0; done < count; done += 1) mutateOnce(random, root, options);
}

function mutateOnce(random: Random, root: string, options: TreeOptions): void {
  const directory = pickDirectory(random, root);
  const there = list(directory).filter((name) => name !== ".git");
  if (there.length === 0 || random() < 0.3) {
    addSomething(random, directory, options);
    return;
  }
  const name = pick(random, there);
  const path = join(directory, name);
  const stat = lstatSync(path);
  switch (Math.floor(random() * 8)) {
    case 0:
      rmSync(path, { recursive: true });
      return;
    case 1:
      rmSync(path, { recursive: true });
      if (stat.isDirectory()) writeFileSync(path, "was a directory");
      else mkdirSync(path);
      return;
    case 2: {
      const flipped = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
      // Not to a name that some file system takes for the repository's.
      if (flipped !== name && !list(directory).includes(flipped) && !/git/i.test(name)) {
        renameSync(path, join(directory, flipped));
      }
      return;
    }
    case 3:
      if (stat.isFile()) {
        // Same length, and the old times set back.
        const content = readFileSync(path);
        if (content.length > 0) content[Math.floor(random() * content.length)] = Math.floor(random() * 256);
        writeFileSync(path, content);
        utimesSync(path, stat.atime, stat.mtime);
      }
      return;
    case 4:
      if (!stat.isSymbolicLink()) utimesSync(path, new Date(random() * 4e12), new Date(random() * 4e12));
      if (stat.isFile()) writeFileSync(path, `after a jump ${random()}`);
      return;
    case 5:
      if (stat.isFile()) chmodSync(path, pick(random, [0o644, 0o755, 0o600, 0o700, 0o444]));
      return;
    case 6: {
      const target = join(pickDirectory(random, root), pick(random, names));
      try {
        renameSync(path, target);
      } catch {
        // Into itself, or onto something that is in the way.
      }
      return;
    }
    default:
      if (stat.isFile()) writeFileSync(path, contentOf(random));
  }
}

function addSomething(random: Random, directory: Buffer, options: TreeOptions): void {
  const name = Buffer.from(pick(random, names), "latin1");
  const path = join(directory, name.toString("latin1"));
  if (list(directory).includes(name.toString("latin1"))) return;
  const kind = random();
  if (options.ignore && kind < 0.12) {
    const file = join(directory, ".gitignore");
    const lines = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(random, patterns));
    if (!list(directory).includes(".gitignore")) {
      writeFileSync(file, Buffer.from(lines.join(pick(random, ["\n", "\n", "\r\n"])), "latin1"));
    }
  } else if (kind < 0.35) {
    mkdirSync(path);
  } else if (kind < 0.45) {
    symlinkSync(Buffer.from(pick(random, ["a", "../b", "/nowhere", "caf\xe9", ".", "foo\n"]), "latin1"), path);
  } else {
    writeFileSync(path, contentOf(random), { mode: pick(random, [0o644, 0o644, 0o755, 0o600]) });
  }
}

function contentOf(random: Random): Buffer {
  const kind = random();
  if (kind < 0.1) return Buffer.alloc(0);
  if (kind < 0.3) return Buffer.from("same\n");
  if (kind < 0.5) return Buffer.from(`line one\r\nline ${random()}\r\n`);
  return Buffer.from(Array.from({ length: Math.floor(random() * 200) }, () => Math.floor(random() * 256)));
}

function pickDirectory(random: Random, root: string): Buffer {
  let at = Buffer.from(root);
  for (;;) {
    const below = list(at).filter((name) => name !== ".git" && lstatSync(join(at, name)).isDirectory());
    if (below.length === 0 || random() < 0.3) return at;
    at = join(at, pick(random, below));
  }
}

function list(directory: Buffer): string[] {
  return readdirSync(directory, "latin1").sort();
}

function join(directory: Buffer, name: string): Buffer<ArrayBuffer> {
  return Buffer.concat([directory, Buffer.from("/"), Buffer.from(name, "latin1")]);
}
