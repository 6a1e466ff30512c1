import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { activeTake, entries, importEntries, insertEntry, type ModelErrorCode } from "@retake/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Model, ModelEnd, ModelRequest } from "../model/model.ts";
import { scriptedModel } from "../model/scripted-model.ts";
import { directories } from "../store/directories.ts";
import { openStoreAndWorkspace, type Workspace } from "../workspace/open-workspace.ts";

const home = mkdtempSync(join(tmpdir(), "retake-compress-"));
const { signal } = new AbortController();
let workspace: Workspace;
let thread: string;

beforeAll(async () => {
  mkdirSync(join(home, "work"));
  workspace = openStoreAndWorkspace({
    directories: directories({ RETAKE_HOME: home }),
    root: join(home, "work"),
    version: "0",
  });
  thread = await workspace.newThread("long");
  for (const prompt of ["write a.txt: one\nplease, and with care", "hello", "write b.txt: two"]) await say(prompt);
});
afterAll(async () => {
  await workspace.close();
  rmSync(home, { recursive: true, force: true });
});

async function say(prompt: string): Promise<void> {
  const watch = { mode: "all" as const, approve: async () => "deny" as const, onEvent: () => {}, signal };
  const ended = await workspace.run({ thread, prompt, model: scriptedModel(), ...watch });
  expect(ended).toMatchObject({ status: "finished" });
}

function contents(): string[] {
  return workspace.store.read(thread, ({ state }) =>
    [...entries(state, activeTake(state))].map(({ content }) => content),
  );
}

function answering(text: string, end: Partial<ModelEnd> = {}): Model {
  return {
    name: "test/model",
    async *stream() {
      yield { kind: "text", text };
      yield { kind: "responded", stop: "end", calls: [], usage: { output_tokens: 3 }, ...end } as ModelEnd;
    },
  };
}

const LONG = "long  ".repeat(5000);
const LONG_TURN = [
  { id: "p", role: "User", content: "Look at both." },
  {
    id: "a",
    role: "AI",
    tool_calls: ["1", "2"].map((id) => ({ id, name: "read", input: {} })),
    usage: { input_tokens: 100 },
  },
  { id: "r1", role: "Tool", content: LONG, tool_result: { call_id: "1", name: "read", status: "completed" } },
  { id: "r2", role: "Tool", content: "short", tool_result: { call_id: "2", name: "read", status: "completed" } },
  { id: "d", role: "AI", content: "Done." },
];

describe("compress", () => {
  test("[F71] [B11] makes a summary of one long turn, unless it is told to keep it", async () => {
    const own = await workspace.newThread("one turn");
    const watch = { mode: "all" as const, approve: async () => "deny" as const, onEvent: () => {}, signal };
    await workspace.run({ thread: own, prompt: "write long.txt: text", model: scriptedModel(), ...watch });
    const model = answering("A short summary.");
    expect(await workspace.compress(own, { model, keep: 1, signal })).toMatchObject({ code: "nothing-to-do" });
    expect(await workspace.compress(own, { model, signal })).toMatchObject({
      kind: "compressed",
      operation: { description: "Compress 4 entries into one", actor: { kind: "user" } },
    });
  });

  test("[B11] replaces the older part by a summary, keeps the last prompts, and one undo brings all back", async () => {
    const before = contents();
    const done = await workspace.compress(thread, { model: scriptedModel(), keep: 1, signal });
    expect(done).toMatchObject({
      kind: "compressed",
      summary: "- Asked: write a.txt: one please, and with care\n  write a.txt one\n- Asked: hello",
      operation: { kind: "entries-compressed", description: "Compress 6 entries into one" },
    });
    expect(contents()).toEqual([expect.stringContaining("by scripted/default:\n\n- Asked"), ...before.slice(6)]);
    await say("run true");
    expect(contents()).toHaveLength(9);
    await workspace.undo(thread, { count: 2 });
    expect(contents()).toEqual(before);
  });

  test("[S8] the request and the answer are in the communication log", () => {
    const log = readFileSync(join(home, "state", "comms", `${thread}.jsonl`), "utf8");
    const lines = log.split("\n").filter((line) => line.includes('"compress"') || line.includes("- Asked: write"));
    expect(lines.map((line) => (JSON.parse(line) as { kind: string }).kind)).toContain("request");
    expect(lines.map((line) => (JSON.parse(line) as { kind: string }).kind)).toContain("response");
  });

  const useless: [string, Model, string][] = [
    ["nothing", answering(" \n"), "no-summary"],
    ["more than there was", answering("x".repeat(100_000)), "no-summary"],
    ["half a summary", answering("half", { stop: "length" } as Partial<ModelEnd>), "cut-off"],
    ["a call", answering("", { stop: "tool-calls" } as Partial<ModelEnd>), "no-summary"],
    ["an error", answering("", { kind: "failed", code: "overloaded", message: "Busy." } as ModelEnd), "overloaded"],
  ];
  test.each(useless)("[B11] a model that answers %s changes nothing", async (_, model, code) => {
    const version = workspace.store.read(thread, ({ state }) => state.version);
    const done = await workspace.compress(thread, { model, keep: 0, signal });
    expect(done).toMatchObject({ kind: "failed", code, message: expect.stringMatching(/Nothing was changed\.$/) });
    expect(workspace.store.read(thread, ({ state }) => state.version)).toBe(version);
  });

  test("[B11] an interrupt, or an edit made meanwhile, leaves the conversation unchanged", async () => {
    const interrupt = new AbortController();
    const slow: Model = {
      name: "test/model",
      async *stream() {
        interrupt.abort();
        yield { kind: "text", text: "half" };
      },
    };
    expect(await workspace.compress(thread, { model: slow, signal: interrupt.signal })).toMatchObject({
      code: "interrupted",
    });
    const meanwhile: Model = {
      name: "test/model",
      stream(request) {
        workspace.store.change(thread, (state, context) =>
          insertEntry(state, context, { entry: { id: "new", content: "new" }, index: 0 }),
        );
        return answering("summary").stream(request);
      },
    };
    const before = contents();
    expect(await workspace.compress(thread, { model: meanwhile, signal })).toMatchObject({ code: "stale-version" });
    expect(contents()).toEqual(["new", ...before]);
    expect(await workspace.compress(thread, { model: slow, keep: 9, signal })).toMatchObject({
      code: "nothing-to-do",
    });
  });

  /** Fails with this code until the request is short; then it makes a summary. */
  const onlyInShort = (code: ModelErrorCode, asked: ModelRequest[]): Model => ({
    name: "test/model",
    async *stream(request) {
      asked.push(request);
      if (JSON.stringify(request.messages).length > 10_000) yield { kind: "failed", code, message: "No." };
      else yield* answering("A summary.").stream(request);
    },
  });
  test.each(["context-overflow", "invalid-signature"] as const)(
    "[B11] a conversation that fails with %s is sent once more, with short results and without thinking",
    async (code) => {
      const own = await workspace.newThread("overflow");
      workspace.store.change(own, (state, context) => importEntries(state, context, { entries: LONG_TURN }));
      const asked: ModelRequest[] = [];
      const done = await workspace.compress(own, { model: onlyInShort(code, asked), signal });
      expect(done).toMatchObject({ kind: "compressed", summary: "A summary." });
      expect(asked.map(({ thinking }) => thinking)).toEqual(["allowed", "off"]);
      const results = asked.map(({ messages }) =>
        messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool-result" ? [part.output] : []))),
      );
      expect(results).toEqual([
        [LONG, "short"],
        [expect.stringMatching(/^long {2}.*more characters\)$/), "short"],
      ]);
    },
  );

  test("[B11] a conversation that is too long even in short fails, and nothing is changed", async () => {
    const own = await workspace.newThread("overflow");
    workspace.store.change(own, (state, context) => importEntries(state, context, { entries: LONG_TURN }));
    const failing = answering("", { kind: "failed", code: "context-overflow", message: "No." } as ModelEnd);
    expect(await workspace.compress(own, { model: failing, signal })).toMatchObject({ code: "context-overflow" });
  });
});
