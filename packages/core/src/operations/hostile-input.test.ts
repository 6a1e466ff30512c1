import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as core from "../index.ts";
import { World } from "../testing/world.ts";

/**
 * Feeds every bad value into every field of every constructor and planner. A table holds a valid call of each; the bad
 * values replace its fields one by one, at any depth.
 */
type Input = Readonly<Record<string, unknown>>;
interface Case {
  readonly input: Input;
  readonly call: (world: World, input: Input & never, context?: core.Context) => unknown;
  /** It takes a context, so a wrong one is refused. */
  readonly builds?: true;
}

const entry = { id: "new", role: "User", content: "text", open: { kept: [1] } };
const build = (make: (state: core.State, context: core.Context, input: never) => unknown, input: Input): Case => ({
  input,
  call: (world, given, context = world.context()) => make(world.state, context, given),
  builds: true,
});
const plan = (make: (history: core.History, input: never) => unknown, input: Input): Case => ({
  input,
  call: (world, given) => make(world.history, given),
});

const CASES: Readonly<Record<string, Case>> = {
  addPath: build(core.addPath, { list: "context", member: { path: "a.ts", note: "n" } }),
  addRole: build(core.addRole, { role: "Critic" }),
  branch: {
    input: { entry: "e", take: "t2" },
    call: (world, given, context = world.context()) => core.branch(world.history, context, given),
    builds: true,
  },
  branchFrom: {
    input: { from: "t1", take: "t2", name: "two", past: "the present" },
    call: (world, { past, ...input }: Input) =>
      core.branchFrom(world.state, world.context(), {
        ...(input as { from: string; take: string }),
        past: past === "the present" ? world.state : (past as core.State),
      }),
  },
  changeSetting: build(core.changeSetting, { field: "temperature", value: 1, typing: true }),
  changeSettings: build(core.changeSettings, {
    settings: { temperature: 1, draft: "d" },
    lists: { context: [{ path: "a.ts" }] },
    roles: ["User", "Critic"],
  }),
  changeThread: build(core.changeThread, { facts: { title: "t", tags: ["x"], pinned: true } }),
  compressEntries: build(core.compressEntries, { summary: entry, through: "e" }),
  createThread: {
    input: {
      origin: { id: "T-2", workspace_root: "/w", cwd: "/w", retake_version: "0", private: false },
      facts: { title: "t" },
      title: "main",
      take: "t1",
      name: "main",
      tree: "tree-0",
    },
    call: (world, input) => core.createThread(world.context(), input),
  },
  deleteTake: build(core.deleteTake, { take: "t1" }),
  editEntry: build(core.editEntry, { entry: "e", content: "new", typing: true }),
  endTool: build(core.endTool, { turn_id: "run", entry: "tool", status: "completed", content: "c", fields: { x: 1 } }),
  finishTurn: build(core.finishTurn, {
    turn_id: "run",
    status: "finished",
    tree: "t",
    receipt: {
      files: 1,
      bytes: 2,
      files_changed: ["a"],
      ignored_changed: [],
      uncovered_changed: [],
      omitted: 0,
      uncovered: [{ path: "big.bin", reason: "too-large" }],
      effects: [{ call_id: "c", tool: "bash", what: "git push" }],
    },
    fields: { x: 1 },
  }),
  importEntries: build(core.importEntries, {
    entries: [entry],
    turn: { id: "turn", number: 3, prompt: "p", status: "finished", model: "p/m", ended_at: "now", open: { kept: 1 } },
    discussion: { sent_markdown: "all of it", open: { kept: 1 } },
  }),
  insertEntry: build(core.insertEntry, { entry, before: "e", index: 0 }),
  keepTake: build(core.keepTake, { take: "t1" }),
  moveAgent: build(core.moveAgent, { turn_id: "run", agent: { a: 1 } }),
  noteBackground: build(core.noteBackground, {
    turn_id: "run",
    calls: [{ entry: "tool", state: { name: "bash-1", status: "ended" } }],
    tree: "tree-9",
    receipt: { files_changed: ["a"], omitted: 0 },
  }),
  noteFilesEdited: build(core.noteFilesEdited, { tree: "tree-9", description: "d" }),
  noteGit: build(core.noteGit, { git: { branch: "main" } }),
  noteSent: build(core.noteSent, { turn_id: "run", discussion: { sent_markdown: "all of it", open: { kept: 1 } } }),
  patchEntry: build(core.patchEntry, { entry: "e", patch: { content: "x", open: { deep: 1 } }, typing: true }),
  planJump: plan(core.planJump, { operation: "op1", new_take: "t2" }),
  planRedo: plan(core.planRedo, { take: "t1", count: 1, on_conflict: "abort" }),
  planSnapshotRestore: plan(core.planSnapshotRestore, { snapshot: "s", tree: "tree-9", after: "op1" }),
  planRetry: plan(core.planRetry, { take: "t1" }),
  planRevert: plan(core.planRevert, { take: "t1", operation: "op2", on_conflict: "abort" }),
  planUndo: plan(core.planUndo, { take: "t1", count: 1, scope: "both", on_conflict: "abort" }),
  progressTool: build(core.progressTool, { turn_id: "run", entry: "tool", progress: { fraction: 0.5 }, text: "t" }),
  promoteTake: build(core.promoteTake, { take: "t1", name: "top" }),
  removeEntry: build(core.removeEntry, { entry: "e" }),
  removePath: build(core.removePath, { list: "context", path: "a.ts" }),
  removeRole: build(core.removeRole, { role: "AI" }),
  renameTake: build(core.renameTake, { take: "t1", name: "other" }),
  replaceEntries: build(core.replaceEntries, { entries: [entry] }),
  restoreFiles: build(core.restoreFiles, { tree: "tree-9", snapshot: "s" }),
  saveThread: build(core.saveThread, { save: "s1", name: "n" }),
  showAllEntries: build(core.showAllEntries, { collapsed: true }),
  discardStep: build(core.discardStep, { turn_id: "run", entry: "tool" }),
  proposeTool: build(core.proposeTool, {
    turn_id: "run",
    entry: "tool2",
    call: { id: "c2", name: "n" },
    fields: { x: 1 },
  }),
  startTool: build(core.startTool, { turn_id: "run", entry: "tool2", call: { id: "c2", name: "n" } }),
  startTurn: build(core.startTurn, { turn_id: "go", prompt: entry, model: "p/m", title: "a title", retries: "op2" }),
  streamTurn: build(core.streamTurn, { turn_id: "run", entry: "new", text: "t", fields: { usage: {} } }),
  switchTake: build(core.switchTake, { take: "t1" }),
  titleThread: build(core.titleThread, { turn_id: "run", title: "a title" }),
  truncateEntries: build(core.truncateEntries, { pairs: 1 }),
};

/** These take no input of their own, or the result of a planner. */
const WITHOUT_INPUT = [
  "clearEntries",
  "resetSession",
  "completeJump",
  "completePlan",
  "completeSnapshotRestore",
  "mergeHeads",
];
/** They only read. */
const READERS = [
  "titleFrom",
  "isUntitled",
  "doneSince",
  "pathsIn",
  "relate",
  "canRedo",
  "canUndo",
  "changesSince",
  "isUndone",
  "lastChange",
  "lastShared",
  "line",
  "listHistory",
  "listOperations",
  "originOf",
  "staleRefusal",
  "treeIn",
  "unresolved",
];

const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;
let deep: unknown = "bottom";
for (let level = 0; level < 10_000; level += 1) deep = { deep };

const HOSTILE: readonly unknown[] = [
  ...[null, undefined, true, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 10n, Symbol("s"), () => "f"],
  ...["", " ", "no-such-id", "\ud800", "a\u0000b", "__proto__", "constructor", "x".repeat(core.MAX_TEXT + 1)],
  ...[[], ["\udfff"], {}, new Map(), new (class Own {})(), Object.create(null), cyclic, deep],
  JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}'),
];

describe("hostile input", () => {
  test("[O3] every constructor and planner has a case", () => {
    const index = readFileSync(new URL("../index.ts", import.meta.url), "utf8");
    const exported = [...index.matchAll(/export \{([^}]*)\} from "\.\/(?:operations|history)\//g)]
      .flatMap(([, names]) => (names as string).split(","))
      .map((name) => name.trim())
      .filter((name) => /^[a-z]/.test(name) && !name.startsWith("type "));
    const names = exported.filter((name) => ![...WITHOUT_INPUT, ...READERS].includes(name));
    expect(names.length).toBeGreaterThan(30);
    expect(Object.keys(CASES).sort()).toEqual(names.sort());
  });

  for (const [name, { input, call }] of Object.entries(CASES)) {
    test(`[O3] ${name} refuses bad values, accepts good ones, and never throws`, () => {
      for (const world of [quiet(), running()]) {
        const before = world.state;
        for (const path of paths(input)) {
          for (const value of HOSTILE) {
            const answer = call(world, replaced(input, path, value) as never) as core.Built | core.Plan;
            const where = `${name} ${path.join(".")}`;
            expect(["refused", "operation", "plan", "nothing", "jump", "restore"], where).toContain(answer.kind);
            if (answer.kind === "operation") {
              const { operation } = answer;
              const read = core.decode(
                core.operationFormat,
                JSON.parse(JSON.stringify(core.encode(core.operationFormat, operation))),
              );
              expect(read, where).toEqual({ kind: "decoded", value: operation });
            }
          }
        }
        expect(world.state).toBe(before);
        expect("polluted" in {}).toBe(false);
      }
    });
  }

  test("[O3] [O5] every constructor refuses a wrong or stale context", () => {
    const wrong = {
      id: ["", "a/b", 7, null],
      at: [Number.NaN, -1, 1e20, "now"],
      take: ["nobody", 7, null],
      expected_version: [0, 99, "1", null],
    };
    const world = quiet();
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        const context = { ...world.context(), [field]: value } as never;
        expect(core.clearEntries(world.state, context), `${field} ${value}`).toMatchObject({ kind: "refused" });
        for (const [name, { input, call, builds }] of Object.entries(CASES)) {
          if (!builds) continue;
          expect(call(world, input as never, context), `${name}: ${field} ${value}`).toMatchObject({ kind: "refused" });
        }
      }
    }
  });
});

function quiet(): World {
  const world = new World();
  world.must(core.insertEntry(world.state, world.context(), { entry: { id: "e", content: "text" } }));
  return world;
}

function running(): World {
  const world = quiet();
  const turn_id = "run";
  world.must(core.startTurn(world.state, world.context(), { turn_id, prompt: { id: "p", content: "go" } }));
  world.must(core.startTool(world.state, world.context(), { turn_id, entry: "tool", call: { id: "c", name: "n" } }));
  return world;
}

function paths(value: unknown, at: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [[...at, key], ...paths(each, [...at, key])]);
}

function replaced(value: unknown, path: readonly string[], by: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return by;
  const source = value as Record<string, unknown>;
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...source };
  copy[key] = replaced(source[key], rest, by);
  return copy;
}
