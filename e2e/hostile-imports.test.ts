/**
 * Hostile imports: whatever a document or a bundle holds, importing it and then going back and forth in its history
 * writes nothing outside of the workspace and nothing into `.git`, sends no file from outside to a model, brings no right,
 * and takes a bounded amount of memory. A receipt says what was left out, or a refusal says why nothing was taken in.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { addPath, changeSetting, type JsonObject } from "@retake/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BundlePlaces, forged, type Line, linesOf } from "../packages/runtime/src/exchange/testing/bundle-place.ts";
import { MAIN } from "../testing/main.ts";
import { RetakePlace } from "./testing/retake-place.ts";

const CANARY = "the-canary-of-the-secret-file";
/** Clears the screen, and ends a line. */
const CONTROL = "\u001b[2J\u009b\r\nx\u202e";
const HUGE = 2 ** 60;

interface Attack {
  readonly bytes: Uint8Array;
  /** Taken in with this left out, or refused. */
  readonly expected: "refused" | "taken" | readonly string[];
}

const places = new BundlePlaces();
const attacks = new Map<string, () => Attack>();
let document: JsonObject;
let bundle: Buffer;
let secret: string;

const json = (change: (document: Any, take: Any) => unknown): Buffer => {
  const copy = structuredClone(document) as Any;
  change(copy, copy.takes[0]);
  return Buffer.from(JSON.stringify(copy));
};

// biome-ignore lint/suspicious/noExplicitAny: documents are changed in ways that no type allows
type Any = any;

const toml = (lines: string): Buffer =>
  Buffer.from(`[discussion]\ntitle = "imported"\n[discussion.discussions."main"]\n${lines}\n`);

const legacy = (...history: string[]): Buffer =>
  Buffer.from(
    `[discussion]\ndisc_roles = ["User", "AI"]\n[discussion.discussions.a]\nhistory = ${JSON.stringify(history)}\n`,
  );

const of = (lines: Line[], kind: string) => lines.filter((line) => line["kind"] === kind);
const packed = (path: string) => Buffer.from(path, "latin1").toString("base64");

/** A bundle whose first tree holds exactly these changes; a tree without its parent is taken as it is given. */
function tree(...paths: readonly (readonly [string, object?])[]): Buffer {
  return forged(bundle, (lines) => {
    const object = of(lines, "object").find((line) => line["size"] !== 0) ?? {};
    const state = { kind: "file", hash: object["hash"], size: object["size"], mode: 0o644 };
    const root = of(lines, "tree")[0] ?? {};
    const changes = paths.map(([path, own]) => ({ kind: "change", path: packed(path), after: { ...state, ...own } }));
    const { name } = root;
    const head = { kind: "tree", name, parent: "1".repeat(64), from: "", kept: true, changes: changes.length };
    lines.splice(lines.indexOf(root), 1 + Number(root["changes"]), head, ...changes);
  });
}

beforeAll(async () => {
  const from = places.open("from");
  const thread = await from.workspace.newThread("hostile");
  for (const prompt of ["write a.txt: one", "write b/c.txt: two\nrun ln -s ../.. out"]) await from.say(thread, prompt);
  bundle = await from.bundle(thread);
  const place = new RetakePlace();
  try {
    writeFileSync(join(place.root, "a.txt"), "one\n");
    await place.call(["run", "--approve", "all", "write b.txt: 1"]);
    await place.call(["context", "add", "a.txt"]);
    document =
      (await place.call(["export", "--output", join(place.folder, "exported.json")])) &&
      JSON.parse(readFileSync(join(place.folder, "exported.json"), "utf8"));
  } finally {
    place.remove();
  }
  const rights = await from.workspace.newThread("rights");
  for (const path of ["../secret.txt", "/etc/hostname", "~/.netrc"])
    from.workspace.store.change(rights, (state, context) =>
      addPath(state, context, { list: "context", member: { path } }),
    );
  from.workspace.store.change(rights, (state, context) => {
    const built = changeSetting(state, context, { field: "model", value: "scripted/other" });
    if (built.kind !== "operation") throw new Error(built.message);
    const text = JSON.stringify(built).replace(/setting:model/g, "setting:approval_rules");
    return JSON.parse(text.replace('"scripted/other"', '[{"tool":"*","decision":"allow"}]'));
  });
  await from.say(rights, "write a.txt: rights");
  const withRights = await from.bundle(rights);
  const add = (name: string, attack: () => Attack) => attacks.set(name, attack);
  const outside = () =>
    ["../secret.txt", secret, "~/.netrc", "in/../../secret.txt", "link/secret.txt"].map((path) => ({ path }));
  const paths = () => outside().map(({ path }) => path);
  const rules = [{ tool: "*", decision: "allow" }];
  add("json: rules", () => ({
    bytes: json((_, take) => Object.assign(take.settings, { approval_rules: rules })),
    expected: ["rule"],
  }));
  for (const list of ["context", "file", "screenshot"])
    add(`json: ${list} paths out of the workspace`, () => ({
      bytes: json((_, take) => Object.assign(take.lists, { [list]: outside() })),
      expected: paths(),
    }));
  add("json: numbers without end", () => ({
    bytes: json((_, take) => {
      take.turns[0].number = HUGE;
      take.turns[0].usage = { input_tokens: 1e300, output_tokens: -1 };
      take.settings.temperature = 1e300;
    }),
    expected: "refused",
  }));
  add("json: names with control characters", () => ({
    bytes: json((all, take) => {
      all.title = CONTROL;
      all.tags = [CONTROL];
      take.name = CONTROL;
      take.roles = [CONTROL];
      take.entries[0].role = CONTROL;
    }),
    expected: "refused",
  }));
  add("json: text with control characters", () => ({
    bytes: json((_, take) => Object.assign(take.entries[0], { content: CONTROL, [CONTROL.trim()]: CONTROL })),
    expected: "taken",
  }));
  add("json: nested without end", () => ({
    bytes: Buffer.from(`{"format":"retake-thread","takes":${"[".repeat(500_000)}`),
    expected: "refused",
  }));
  add("json: prototypes", () => ({
    bytes: Buffer.from(
      json(() => {})
        .toString()
        .replace('"settings":{}', '"settings":{"__proto__":{"approval_rules":[]},"constructor":{"prototype":{}}}'),
    ),
    expected: "taken",
  }));
  add("json: larger than a document may be", () => ({
    bytes: Buffer.alloc(101 * 1024 ** 2, " "),
    expected: "refused",
  }));
  add("toml: rules and paths out of the workspace", () => ({
    bytes: toml(
      `[discussion.discussions."main".settings]\napproval_rules = [{ tool = "*", decision = "allow" }]\n[discussion.discussions."main".lists]\ncontext = [${paths()
        .map((path) => `{ path = ${JSON.stringify(path)} }`)
        .join(", ")}]`,
    ),
    expected: ["rule", ...paths()],
  }));
  add("toml: names with control characters", () => ({
    bytes: Buffer.from(`[discussion]\ntitle = ${JSON.stringify(CONTROL)}\n[discussion.discussions.a]\nhistory = []\n`),
    expected: "refused",
  }));
  add("legacy text: roles and times that are none", () => ({
    bytes: legacy(`@9999999-99-99T99:99:99 ${CONTROL}: hello`, `User: ${CONTROL}`, ": empty", "@: @"),
    expected: "taken",
  }));
  add("bundle: rules and paths out of the workspace", () => ({
    bytes: withRights,
    expected: ["rule", "../secret.txt", "/etc/hostname", "~/.netrc"],
  }));
  const bad = {
    "leads out": "../evil",
    absolute: "/tmp/evil",
    deep: "b/../../evil",
    empty: "",
    stage: ".retake-stage-1/x",
  };
  for (const [name, path] of Object.entries(bad))
    add(`bundle: a path that ${name}`, () => ({ bytes: tree([path]), expected: "refused" }));
  for (const name of [
    ".git",
    ".GIT",
    "git~1",
    ".git ",
    ".git.",
    ".git\u00e2\u0080\u008c",
    ".git::$INDEX_ALLOCATION",
    "b/.Git",
  ])
    add(`bundle: ${JSON.stringify(name)}`, () => ({
      bytes: tree([`${name}/hooks/post-checkout`]),
      expected: "refused",
    }));
  add("bundle: a file below a file", () => ({ bytes: tree(["x"], ["x/y"]), expected: "refused" }));
  add("bundle: a file below a link", () => ({
    bytes: tree(["out", { kind: "link", mode: undefined }], ["out/evil"]),
    expected: "refused",
  }));
  add("bundle: a mode that gives rights", () => ({ bytes: tree(["x", { mode: 0o4755 }]), expected: "refused" }));
  add("bundle: sizes without end", () => ({ bytes: tree(["x", { size: HUGE }]), expected: "refused" }));
  add("bundle: links that lead out", () => ({ bytes: bundle, expected: "taken" }));
  add("bundle: names with control characters", () => ({
    bytes: tree(["\u001b[2J\nname"], ["\xff\xfe"]),
    expected: "taken",
  }));
  add("bundle: bytes after its end", () => ({
    bytes: Buffer.concat([bundle, Buffer.from("more")]),
    expected: "refused",
  }));
  add("bundle: another end", () => ({ bytes: forged(bundle, () => {}, "0".repeat(64)), expected: "refused" }));
  add("bundle: cut off", () => ({ bytes: bundle.subarray(0, bundle.length - 9), expected: "refused" }));
  const head = () => zstdCompressSync(Buffer.from(`${JSON.stringify(linesOf(bundle)[0])}\n`));
  const many = (byte: string) => Array.from({ length: 1000 }, () => zstdCompressSync(Buffer.alloc(1024 ** 2, byte)));
  add("bundle: a bomb in one frame", () => ({ bytes: zstdCompressSync(Buffer.alloc(1e9)), expected: "refused" }));
  add("bundle: a bomb in one line", () => ({ bytes: Buffer.concat([head(), ...many(" ")]), expected: "refused" }));
  add("bundle: a bomb in an old version", () => ({
    bytes: Buffer.concat([
      zstdCompressSync(Buffer.from(`${JSON.stringify({ ...linesOf(bundle)[0], format_version: 1 })}\n`)),
      ...many("\0"),
    ]),
    expected: "refused",
  }));
}, 300_000);
afterAll(() => places.close());

/** A workspace in a repository with one turn and a link that leads out, beside a secret file. */
async function target(): Promise<RetakePlace> {
  const place = new RetakePlace();
  secret = join(place.folder, "secret.txt");
  writeFileSync(secret, `${CANARY}\n`);
  execFileSync("git", ["init", "-q"], { cwd: place.root });
  mkdirSync(join(place.root, "in"));
  symlinkSync("..", join(place.root, "link"));
  await place.call(["run", "--approve", "all", "write mine.txt: mine"]);
  return place;
}

/** Everything that an import must leave alone: all files beside the workspace, and the repository's own. */
function surroundings({ folder, root }: RetakePlace): Record<string, string> {
  const files: Record<string, string> = {};
  const visit = (directory: string) => {
    for (const name of readdirSync(directory).sort()) {
      const path = join(directory, name);
      if (path === root || path === join(folder, "home") || path === join(folder, "import")) continue;
      if (statSync(path).isDirectory()) visit(path);
      else files[path] = readFileSync(path, "latin1");
    }
  };
  visit(folder);
  visit(join(root, ".git"));
  return files;
}

function sent({ home }: RetakePlace): string {
  const folder = join(home, "state", "comms");
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
}

/** Imports in a process of its own; answers how much memory it took at most. */
function importIn(place: RetakePlace, bytes: Uint8Array) {
  const [file, peak, hook] = ["import", "peak", "peak.mjs"].map((name) => join(place.home, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(file, bytes);
  writeFileSync(
    hook,
    `import { writeFileSync } from "node:fs";
process.on("exit", () => writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS)));\n`,
  );
  const done = spawnSync(process.execPath, [`--import=${hook}`, MAIN, "import", file, "--json"], {
    ...{ cwd: place.root, encoding: "utf8", env: place.environment, input: "" },
  });
  return { ...done, kilobytes: Number(readFileSync(peak, "utf8")) };
}

/** Every command that moves in the imported history, then a turn. */
async function moveAround(place: RetakePlace): Promise<void> {
  const { answer } = await place.call(["history", "--all"]);
  const names = (answer["operations"] as { name: string }[]).map(({ name }) => name);
  const some = [names[0], names[Math.floor(names.length / 2)], names.at(-1)].map(String);
  for (const args of [
    ...[["undo"], ["undo", "--step"], ["redo"], ["undo", "9", "--on-conflict", "overwrite"], ["redo", "9"]],
    ...some.map((name) => ["jump", name, "--on-conflict", "overwrite"]),
    ...[["switch", "main"], ["undo", "--step", "3"], ["takes"], ["log"], ["diff"]],
  ]) {
    const { status, stderr } = await place.call(args);
    // An impossible command is refused in words; none crashes.
    expect([0, 3, 4], `${args.join(" ")}: ${stderr}`).toContain(status);
  }
}

describe("[F6] [F7] [F12] hostile imports", () => {
  test("the canary is found when a file outside is sent after all", async () => {
    const place = await target();
    try {
      await place.call(["context", "add", "--outside", secret]);
      await place.call(["run", "hello"]);
      expect(sent(place)).toContain(CANARY);
    } finally {
      place.remove();
    }
  });

  const names = [
    ...[
      "rules",
      "context paths out of the workspace",
      "file paths out of the workspace",
      "screenshot paths out of the workspace",
    ].map((name) => `json: ${name}`),
    ...[
      "numbers without end",
      "names with control characters",
      "text with control characters",
      "nested without end",
    ].map((name) => `json: ${name}`),
    ...["prototypes", "larger than a document may be"].map((name) => `json: ${name}`),
    ...["toml: rules and paths out of the workspace", "toml: names with control characters"],
    "legacy text: roles and times that are none",
    "bundle: rules and paths out of the workspace",
    ...["leads out", "absolute", "deep", "empty", "stage"].map((name) => `bundle: a path that ${name}`),
    ...[".git", ".GIT", "git~1", ".git ", ".git.", ".git\u00e2\u0080\u008c", ".git::$INDEX_ALLOCATION", "b/.Git"].map(
      (name) => `bundle: ${JSON.stringify(name)}`,
    ),
    ...["a file below a file", "a file below a link", "a mode that gives rights", "sizes without end"].map(
      (name) => `bundle: ${name}`,
    ),
    ...["links that lead out", "names with control characters", "bytes after its end", "another end", "cut off"].map(
      (name) => `bundle: ${name}`,
    ),
    ...["a bomb in one frame", "a bomb in one line", "a bomb in an old version"].map((name) => `bundle: ${name}`),
  ];

  test("every attack is tried", () => expect([...attacks.keys()].sort()).toEqual([...names].sort()));

  let shared: RetakePlace;
  beforeAll(async () => {
    shared = await target();
  }, 60_000);
  afterAll(() => shared.remove());

  test.each(names)("%s", async (name) => {
    // The secret file of the place that the attack is made for.
    secret = join(shared.folder, "secret.txt");
    const prepared = attacks.get(name)?.();
    const refused = prepared?.expected === "refused";
    const place = refused ? shared : await target();
    try {
      const attack = refused ? prepared : attacks.get(name)?.();
      if (!attack) throw new Error("it was not prepared");
      const { bytes, expected } = attack;
      const before = surroundings(place);
      const rights = (await place.call(["approvals"])).answer;
      const threads = (await place.call(["threads"])).answer;
      const { status, stdout, stderr, kilobytes } = importIn(place, bytes);
      // A document of 100 MB is read before it is refused.
      expect(kilobytes).toBeLessThan(400 * 1024);
      if (expected === "refused") {
        expect([1, 2], stdout).toContain(status);
        expect(JSON.parse(stdout).error.message).toMatch(/Nothing was|No thread was made/);
        expect((await place.call(["threads"])).answer).toEqual(threads);
      } else {
        expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: "" });
        const { left_out } = JSON.parse(stdout) as { left_out: { what: string; path?: string }[] };
        expect(left_out.map(({ what, path }) => path ?? what)).toEqual(expected === "taken" ? [] : expected);
        await moveAround(place);
        await place.call(["run", "hello"]);
        expect(await place.call(["run", "write ../evil.txt: x"])).toMatchObject({ status: 5 });
        expect(sent(place)).not.toContain(CANARY);
        expect((await place.call(["doctor"])).answer).toMatchObject({ healthy: true });
      }
      expect(surroundings(place)).toEqual(before);
      expect((await place.call(["approvals"])).answer).toEqual(rights);
    } finally {
      if (place !== shared) place.remove();
    }
  });
});
