import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "./commands.ts";
import { TestWorld } from "./testing/test-world.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-every-")));
const work = join(folder, "work");
const environment = { ...process.env, RETAKE_HOME: join(folder, "home"), RETAKE_MODEL: undefined };

/** One command line, carried out in this process. */
async function retake(...args: readonly string[]): Promise<{ exit: number | null; out: string; err: string }> {
  const [name = "", ...rest] = args;
  const world = new TestWorld({ environment, directory: folder });
  const { status, stdout, stderr } = await world.run(name, "--workspace", work, ...rest);
  return { exit: status, out: stdout, err: stderr };
}

async function json(name = "", ...rest: string[]): Promise<Record<string, unknown>> {
  const { out } = await retake(name, "--json", ...rest);
  return JSON.parse(out.trimEnd().split("\n").at(-1) ?? "") as Record<string, unknown>;
}

/** Ids are asked for when they are needed: the commands before have changed them. */
type Args = readonly string[] | (() => Promise<readonly string[]>);

interface Case {
  /** The command and its output for a person. */
  readonly shown: readonly [Args, RegExp];
  /** The command and its output for a program. */
  readonly told: readonly [Args, object];
  readonly refused: readonly [Args, exit: number];
}

async function operation(place: number): Promise<string> {
  const { operations } = (await json("history")) as { operations: { id: string }[] };
  return operations[place]?.id ?? "";
}

/** The name of an entry, by its content. */
async function entry(content: string): Promise<string> {
  const { entries, names } = (await json("entries")) as {
    entries: { id: string; content: string }[];
    names: Record<string, string>;
  };
  return names[entries.findLast((each) => each.content === content)?.id ?? ""] ?? "";
}

async function snapshot(place: number): Promise<string> {
  const { snapshots } = (await json("snapshots", "2")) as { snapshots: { id: string }[] };
  return snapshots[place]?.id ?? "";
}

const changed = { op_id: expect.any(String), version: expect.any(Number) };
const undone = { ...changed, files_reverted: expect.any(Array), conflicts: [], thread: expect.any(String) };

/** In the order in which they are run: each goes on from where the one before left the session. */
const CASES: Readonly<Record<string, Case>> = {
  run: {
    shown: [["run", "--yes", "write a.txt: one"], /● write a\.txt one\nWrote `a\.txt`\./],
    told: [
      ["run", "--yes", "write b.txt: two"],
      { type: "turn-finished", status: "finished", thread_id: expect.any(String) },
    ],
    refused: [["run", " "], 2],
  },
  undo: {
    shown: [["undo", "--to", "2", "--dry-run"], /Dry run, nothing was changed: Undo: Turn: write b\.txt: two/],
    told: [["undo"], { ...undone, turns_undone: 1, messages_removed: 4, files_reverted: ["b.txt"] }],
    refused: [["undo", "0"], 2],
  },
  redo: {
    shown: [["redo"], /✓ Redo: Turn: write b\.txt: two/],
    told: [["redo"], { op_id: null, message: "Nothing to redo" }],
    refused: [["redo", "much"], 2],
  },
  retry: {
    shown: [["retry", "--yes"], /✓ Took back the last turn: 4 entries[\s\S]*retake undo brings the first answer back/],
    told: [["retry", "--yes", "write c.txt: three"], { type: "turn-finished", status: "finished" }],
    refused: [["retry", "--model", "nobody/x"], 2],
  },
  queue: {
    shown: [["queue"], /No prompt waits\./],
    told: [["queue"], { queue: [] }],
    refused: [["queue", "remove", "1"], 4],
  },
  stop: {
    shown: [["stop"], /No turn runs or waits in this workspace\./],
    told: [["stop"], { turns: [] }],
    refused: [["stop", "--thread", "nothing"], 4],
  },
  history: {
    shown: [["history"], /● {2}#4 .*Retry: write b\.txt: two/],
    told: [
      ["history", "--limit", "1"],
      { can_undo: true, can_redo: false, head: expect.any(String), operations: [{ undone: false }] },
    ],
    refused: [["history", "--limit", "0"], 2],
  },
  show: {
    shown: [async () => ["show", await operation(0)], /Retry: write b\.txt: two\n {2}operation/],
    told: [
      async () => ["show", await operation(0)],
      { kind: "turn-finished", changes: expect.any(Array), files: [{ path: "b.txt" }, { path: "c.txt" }] },
    ],
    refused: [["show", "nothing"], 4],
  },
  blame: {
    shown: [["blame", "c.txt"], /^#4 {2}1 {2}three\n\n#4 {2}write c\.txt: three\n/],
    told: [["blame", "c.txt"], { path: "c.txt", turns: [{ name: "#4", prompt: "write c.txt: three" }] }],
    refused: [["blame", "nothing.txt"], 4],
  },
  bisect: {
    shown: [["bisect", "test ! -e c.txt"], /✓ The call #4\.1\.1 broke it\n {2}in turn #4: write c\.txt: three\n/],
    told: [["bisect", "test ! -e c.txt"], { good: "#4^", bad: "#4.1.1", turn_name: "#4" }],
    refused: [["bisect", "true"], 4],
  },
  revert: {
    shown: [["revert", "1", "--dry-run"], /Dry run, nothing was changed: Revert/],
    told: [["revert", "1"], { ...undone, files_reverted: ["a.txt"] }],
    refused: [["revert", "99"], 4],
  },
  jump: {
    shown: [async () => ["jump", await operation(1), "--dry-run"], /nothing was changed/],
    told: [async () => ["jump", await operation(1)], undone],
    refused: [["jump"], 2],
  },
  threads: {
    shown: [["threads"], /● {2}.* {2}write a\.txt: one/],
    told: [["threads"], { threads: [{ title: "write a.txt: one", active: true }] }],
    refused: [["threads", "--cursor", "nothing"], 2],
  },
  search: {
    shown: [["search", "three"], /write a\.txt: one/],
    told: [["search", "nowhere-to-be-found"], { threads: [] }],
    refused: [["search"], 2],
  },
  log: {
    shown: [["log", "1"], /#1\.0 User[\s\S]*● #1\.1\.1 write\n {4}path: a\.txt\n {4}\+one/],
    told: [["log", "1.0"], { entries: [{ content: "write a.txt: one" }] }],
    refused: [["log", "99"], 4],
  },
  entries: {
    shown: [["entries"], /#1\.0 +User .*write a\.txt: one/],
    told: [["entries", "--role", "User"], { entries: [{ role: "User" }, { role: "User" }] }],
    refused: [["entries", "--nothing"], 2],
  },
  edit: {
    shown: [["edit", "1.0", "--content", "write a.txt: 1"], /✓ Edit[\s\S]*Take this back: retake undo --step/],
    told: [["edit", "1.0", "--content", "write a.txt: one"], { ...changed, entry: { content: "write a.txt: one" } }],
    refused: [["edit", "99", "--content", "x"], 4],
  },
  insert: {
    shown: [["insert", "--content", "a note"], /✓ Insert/],
    told: [
      ["insert", "--before", "1.0", "--role", "System", "--content", "first"],
      { ...changed, entry: { role: "System" } },
    ],
    refused: [["insert", "--before", "99", "--content", "x"], 4],
  },
  role: {
    shown: [["role", "1.0", "Critic"], /✓ Change role/],
    told: [["role", "1.0", "User"], { ...changed, entry: { role: "User" } }],
    refused: [["role", "1.0"], 2],
  },
  remove: {
    shown: [async () => ["remove", await entry("first")], /✓ Remove/],
    told: [async () => ["remove", await entry("a note")], changed],
    refused: [["remove", "99"], 4],
  },
  branch: {
    shown: [["branch", "1.0", "--dry-run"], /nothing was changed/],
    told: [["branch", "4.0"], { ...changed, take: { name: expect.stringMatching(/_take_1$/), active: true } }],
    refused: [["branch", "99"], 4],
  },
  takes: {
    shown: [["takes"], /● .*_take_1 .*5 entries/],
    told: [["takes"], { takes: [{ active: false }, { active: true }] }],
    refused: [["takes", "word"], 2],
  },
  compare: {
    shown: [["compare", "main", "main_take_1"], /_take_1/],
    told: [
      ["compare", "main", "main_take_1"],
      { a: { name: "main" }, b: expect.any(Object), files: expect.any(Array) },
    ],
    refused: [["compare", "main"], 2],
  },
  promote: {
    shown: [["promote", "main_take_1", "second"], /✓ Promote/],
    told: [["promote", "second", "third"], { ...changed, take: { name: "third" } }],
    refused: [["promote", "nothing", "x"], 4],
  },
  rename: {
    shown: [["rename", "third", "fourth"], /✓ Rename/],
    told: [["rename", "fourth", "other"], changed],
    refused: [["rename", "other", "main"], 1],
  },
  switch: {
    shown: [["switch", "main", "--on-conflict", "keep"], /✓ Switch to main/],
    told: [["switch", "other", "--on-conflict", "keep"], { ...changed, take: { name: "other" } }],
    refused: [["switch", "nothing"], 4],
  },
  delete: {
    shown: [["delete", "other", "--dry-run"], /nothing was changed/],
    told: [["delete", "other", "--on-conflict", "keep"], changed],
    refused: [["delete", "nothing"], 4],
  },
  settings: {
    shown: [["settings", "temperature", "0.5"], /✓ Change temperature/],
    told: [["settings", "temperature"], { temperature: 0.5 }],
    refused: [["settings", "nothing"], 4],
  },
  roles: {
    shown: [["roles"], /User/],
    told: [["roles", "add", "Critic"], { ...changed, roles: expect.arrayContaining(["Critic"]) }],
    refused: [["roles", "remove", "Nobody"], 4],
  },
  context: {
    shown: [["context"], /No context files\./],
    told: [["context", "add", "a.txt"], { ...changed, context: [{ path: "a.txt" }] }],
    refused: [["context", "remove", "nothing"], 4],
  },
  snapshot: {
    shown: [["snapshot", "mine"], /mine/],
    told: [["snapshot", "again"], { label: "again", tree: expect.any(String) }],
    refused: [["snapshot", "--nothing"], 2],
  },
  snapshots: {
    shown: [["snapshots"], /mine/],
    told: [["snapshots", "1"], { snapshots: [{ label: "again" }] }],
    refused: [["snapshots", "none"], 2],
  },
  restore: {
    shown: [async () => ["restore", await snapshot(1), "--dry-run"], /./],
    told: [async () => ["restore", await snapshot(1)], { thread: expect.any(String) }],
    refused: [["restore", "no such"], 4],
  },
  diff: {
    shown: [async () => ["diff", await snapshot(1), await snapshot(0)], /./],
    told: [async () => ["diff", await snapshot(1), await snapshot(0)], { files: [] }],
    refused: [["diff", "no such"], 4],
  },
  materialize: {
    shown: [async () => ["materialize", await operation(0), join(folder, "one")], /./],
    told: [async () => ["materialize", await operation(0), join(folder, "two")], { files: expect.any(Number) }],
    refused: [["materialize", "nothing", join(folder, "three")], 4],
  },
  status: {
    shown: [["status"], /write a\.txt: one/],
    told: [["status"], { workspace_root: work }],
    refused: [["status", "word"], 2],
  },
  usage: {
    shown: [["usage"], /\d+ turns?, \d+ tokens?: \d+ in, \d+ out/],
    told: [["usage"], { turns: expect.any(Number), usage: {}, models: [{ turns: expect.any(Number) }] }],
    refused: [["usage", "word"], 2],
  },
  mcp: {
    shown: [["mcp"], /No MCP server is configured/],
    told: [["mcp"], { servers: [] }],
    refused: [["mcp", "word"], 2],
  },
  sync: {
    shown: [["sync"], /Sync is off/],
    told: [["sync", "status"], { state: "off", pending: 0 }],
    refused: [["sync", "now"], 1],
  },
  models: {
    shown: [["models"], /scripted\/default/],
    told: [["models"], { providers: expect.arrayContaining([expect.objectContaining({ provider: "scripted" })]) }],
    refused: [["models", "word"], 2],
  },
  compress: {
    shown: [
      ["compress", "--keep", "1"],
      /✓ Compress \d+ entries into one[\s\S]*- Asked: [\s\S]*Take this back: retake undo/,
    ],
    told: [["compress", "--keep", "9"], { op_id: null, message: expect.stringContaining("nothing to compress") }],
    refused: [["compress", "--keep", "all"], 2],
  },
  truncate: {
    shown: [["truncate", "1"], /✓ Truncate to 1 pair/],
    told: [["truncate", "1"], { op_id: null }],
    refused: [["truncate"], 2],
  },
  clear: {
    shown: [["clear"], /✓ Clear \d+ entries[\s\S]*Take this back: retake undo/],
    told: [["clear"], { op_id: null }],
    refused: [["clear", "word"], 2],
  },
  reset: {
    shown: [["reset"], /✓ Reset[\s\S]*Take this back: retake undo/],
    told: [["reset"], { version: expect.any(Number) }],
    refused: [["reset", "word"], 2],
  },
  export: {
    shown: [["export", "--format", "markdown"], /^# write a\.txt: one/],
    told: [
      ["export", "--format", "bundle", "--output", join(folder, "bundle")],
      { format: "bundle", file: join(folder, "bundle") },
    ],
    refused: [["export", "--format", "paper"], 2],
  },
  import: {
    shown: [["import", join(folder, "project.toml")], /✓ Imported imported\n.*Take this back: retake delete T-\S+\n/],
    told: [["import", join(folder, "project.toml")], { format: "toml", threads: [{ title: "imported 2" }] }],
    refused: [["import", join(folder, "half.json")], 1],
  },
  doctor: {
    shown: [["doctor"], /./],
    told: [["doctor"], { healthy: true, problems: [] }],
    refused: [["doctor", "word"], 2],
  },
  approvals: {
    shown: [["approvals"], /^Mode +undoable\n/],
    told: [["approvals", "add", "deny", "bash"], { mode: "undoable", rules: [{ tool: "bash", decision: "deny" }] }],
    refused: [["approvals", "nonsense"], 2],
  },
  gc: {
    shown: [["gc", "--dry-run"], /./],
    told: [["gc"], {}],
    refused: [["gc", "word"], 2],
  },
  config: {
    shown: [["config", "providers.openai.api_key", "sk-secret"], /✓ providers\.openai\.api_key is set/],
    told: [["config"], { config: [{ key: "providers.openai.api_key", value: "set" }] }],
    refused: [["config", "model", "nonsense"], 2],
  },
  completion: {
    shown: [["completion", "--complete", "--", "und"], /^undo\tTake back/],
    told: [["completion", "--complete", "--", "undo", "--sc"], { candidates: [{ word: "--scope" }] }],
    refused: [["completion", "tcsh"], 2],
  },
};

/** They run until they are ended, and have tests of their own. */
const SERVERS = ["serve", "web", "acp", "sync-server"];

beforeAll(async () => {
  mkdirSync(work);
  writeFileSync(join(folder, "half.json"), '{"half');
  writeFileSync(join(folder, "project.toml"), '[discussion.discussions.imported]\nhistory = ["User: hello"]\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("every command", () => {
  test("has a case, and is in the help", async () => {
    expect(
      Object.keys(COMMANDS)
        .filter((name) => !SERVERS.includes(name))
        .sort(),
    ).toEqual(Object.keys(CASES).sort());
    const { out } = await retake("help");
    for (const name of Object.keys(COMMANDS)) expect(out).toMatch(new RegExp(`^ {2}${name} `, "m"));
  });

  const args = async (given: Args) => (typeof given === "function" ? await given() : given);
  for (const [name, { shown, told, refused }] of Object.entries(CASES))
    test(`${name} tells people, tells programs, and refuses`, async () => {
      const human = await retake(...(await args(shown[0])));
      expect(human, human.err).toMatchObject({ exit: 0, out: expect.stringMatching(shown[1]) });
      expect(await json(...(await args(told[0])))).toMatchObject(told[1]);
      const not = await retake(...(await args(refused[0])));
      expect(not).toMatchObject({ exit: refused[1], out: "", err: expect.stringMatching(/\S/) });
      expect(await json(...(await args(refused[0])))).toMatchObject({
        error: { code: expect.any(String), message: expect.any(String) },
      });
      const help = await retake(name, "--help");
      expect(help.out).toContain(`Usage: retake ${name}`);
    });

  test("keys are in no output, and nothing was written where nothing was asked for", async () => {
    expect((await retake("config")).out + (await retake("config", "--json")).out).not.toContain("sk-secret");
    expect(existsSync(join(folder, "three"))).toBe(false);
  });
});
