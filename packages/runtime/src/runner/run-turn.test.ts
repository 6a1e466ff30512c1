import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createThread,
  entries,
  IDLE_AGENT,
  listHistory,
  planRedo,
  planUndo,
  startTurn,
  transition,
  turn as turnOf,
} from "@retake/core";
import { openFiles } from "@retake/workspace";
import { afterEach, describe, expect, test } from "vitest";
import type { Model, ModelEnd } from "../model/model.ts";
import { Approvals } from "../store/approvals.ts";
import { Attachments } from "../store/attachments.ts";
import { DiskLog } from "../store/disk-log.ts";
import { Identity } from "../store/identity.ts";
import { openDatabase } from "../store/open-database.ts";
import { ThreadStore } from "../store/thread-store.ts";
import { Confiner } from "../tools/confine/confiner.ts";
import type { Tool } from "../tools/tool.ts";
import { holdWorkspace } from "../undo/hold-workspace.ts";
import { TakeBack } from "../undo/take-back.ts";
import { ThreadFiles } from "../undo/thread-files.ts";
import { Budget } from "./budget.ts";
import { CommsLog } from "./comms-log.ts";
import { OutsideFiles } from "./outside-files.ts";
import { recoverTurns } from "./recover-turn.ts";
import { runTurn } from "./run-turn.ts";
import { SHUTDOWN, type TurnEvent, type TurnRequest } from "./turn.ts";

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A model that asks for one shell command, named by the prompt, and then says that it is done. */
const model: Model = {
  name: "test/model",
  async *stream({ messages, step }) {
    const prompt = messages.findLast((each) => each.role === "user" && each.parts.some((part) => part.type === "text"));
    const command = prompt?.parts.find((part) => part.type === "text")?.text ?? "";
    const end: ModelEnd = {
      kind: "responded",
      stop: step === 1 ? "tool-calls" : "end",
      calls: [],
      usage: { input_tokens: 1 },
    };
    if (step > 1) {
      yield { kind: "text", text: "Done" };
      yield { kind: "text", text: "." };
      yield end;
    } else yield { ...end, calls: [{ id: "call", name: "bash", input: { command } }] };
  },
};

const bash: Tool = {
  name: "bash",
  description: "",
  input: {},
  check: () => undefined,
  examine: async ({ command }) => ({ writes: true, paths: [], command: String(command), irreversible: [] }),
  run: async ({ command }, { root, signal, report }) => {
    execFileSync("/bin/sh", ["-c", String(command)], { cwd: root });
    if (!String(command).includes("# and wait")) return { outcome: "completed", content: "ok" };
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve());
      report({ text: "waiting" });
    });
    return { outcome: "interrupted", content: "interrupted" };
  },
};

async function session() {
  const folder = mkdtempSync(join(tmpdir(), "retake-turn-"));
  const root = join(folder, "work");
  const state = join(folder, "state");
  mkdirSync(root);
  mkdirSync(state);
  writeFileSync(join(root, "kept.txt"), "kept\n");
  const database = openDatabase(join(state, "retake.db"));
  const workspace = openFiles({ root, store: state, database, watch: false });
  cleanups.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => database.close(),
    () => workspace.close(),
  );
  const store = new ThreadStore(workspace.database, { outbox: true });
  const identity = new Identity(Date.now);
  const files = new ThreadFiles(workspace, store, identity);
  const origin = { id: "T-1", workspace_root: root, cwd: root, retake_version: "0", private: false };
  const tree = (await workspace.capture()).id;
  store.place("T-1", root);
  store.change("T-1", () =>
    createThread(identity.context({ kind: "user" }), { origin, take: "main", title: "main", tree }),
  );
  const recover = async () =>
    void (await recoverTurns({ workspace, store, identity, outputs: join(root, "..", "outputs") }, "T-1"));
  const hold = holdWorkspace({ root, state }, recover);
  const back = new TakeBack(store, workspace, identity, hold, new DiskLog(workspace.database));
  const events: TurnEvent[] = [];
  const interrupt = new AbortController();
  const turn = (prompt: string, other: Partial<TurnRequest> = {}) =>
    runTurn(
      {
        store,
        workspace,
        files,
        identity,
        tools: [bash],
        overflow: join(state, "outputs"),
        environment: {},
        comms: new CommsLog(join(state, "comms"), {}),
        context: {
          root,
          config: state,
          outside: new OutsideFiles({ state, data: state }, root),
          attachments: new Attachments(state),
        },
        facts: {},
        titles: { byModel: false, free: (title) => title },
        budget: new Budget(0, undefined, () => 0),
        approvals: new Approvals(workspace.database),
        confiner: new Confiner({ root, environment: {}, own: [] }),
      },
      {
        thread: "T-1",
        prompt,
        model,
        mode: "all" as const,
        approve: async () => "deny",
        onEvent: (event) => {
          events.push(event);
          if (event.type === "tool-output") interrupt.abort();
        },
        signal: interrupt.signal,
        ...other,
      },
    );
  const user = { thread: "T-1", actor: { kind: "user" } } as const;
  return {
    root,
    store,
    workspace,
    turn,
    events,
    undo: (count = 1) => back.carryOut({ ...user, decide: (history) => planUndo(history, { count }) }),
    redo: () => back.carryOut({ ...user, decide: (history) => planRedo(history) }),
    dryRun: () => back.carryOut({ ...user, dryRun: true, decide: (history) => planUndo(history) }),
    contents: () => store.read("T-1", ({ state: now }) => [...entries(now, "main")].map((entry) => entry.content)),
  };
}

describe("a turn and its undo, over real files", () => {
  test("[U1] [X4] undo reverses a shell command's changes with the conversation, and redo brings them back", async () => {
    const { root, turn, undo, redo, contents, events } = await session();
    expect(await turn("echo one > a.txt; mkdir sub; mv kept.txt sub/moved.txt")).toMatchObject({ status: "finished" });
    expect(events.map((event) => event.type)).toEqual([
      "turn-started",
      "tool-started",
      "tool-ended",
      "text",
      "text",
      "turn-finished",
    ]);
    expect(contents()).toEqual(["echo one > a.txt; mkdir sub; mv kept.txt sub/moved.txt", "", "ok", "Done."]);
    await undo();
    expect(contents()).toEqual([]);
    expect(existsSync(join(root, "a.txt"))).toBe(false);
    expect(existsSync(join(root, "sub"))).toBe(false);
    expect(readFileSync(join(root, "kept.txt"), "utf8")).toBe("kept\n");
    await redo();
    expect(contents()).toHaveLength(4);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one\n");
    expect(readFileSync(join(root, "sub", "moved.txt"), "utf8")).toBe("kept\n");
  });

  test("[U4] [X1] keeps the user's later changes, and a dry run says what will happen", async () => {
    const { root, turn, undo, dryRun } = await session();
    await turn("printf 'a\\nb\\nc\\nd\\ne\\n' > list.txt");
    await turn("printf 'a\\nb\\nc\\nd\\nE\\n' > list.txt; echo new > new.txt");
    writeFileSync(join(root, "list.txt"), "A\nb\nc\nd\nE\n");
    writeFileSync(join(root, "mine.txt"), "mine\n");
    const would = await dryRun();
    expect(would).toMatchObject({ kind: "would-do", plan: { turns_undone: 1 } });
    expect(readFileSync(join(root, "list.txt"), "utf8")).toBe("A\nb\nc\nd\nE\n");
    const done = await undo();
    expect(done).toMatchObject({ kind: "done" });
    expect(readFileSync(join(root, "list.txt"), "utf8")).toBe("A\nb\nc\nd\ne\n");
    expect(readFileSync(join(root, "mine.txt"), "utf8")).toBe("mine\n");
    expect(existsSync(join(root, "new.txt"))).toBe(false);
  });

  test("[X1] a clashing edit is a conflict, and nothing changes", async () => {
    const { root, turn, undo, contents } = await session();
    await turn("echo agent > kept.txt");
    writeFileSync(join(root, "kept.txt"), "user\n");
    expect(await undo()).toMatchObject({ kind: "conflicts", files: { conflicts: [{ path: "kept.txt" }] } });
    expect(readFileSync(join(root, "kept.txt"), "utf8")).toBe("user\n");
    expect(contents()).toHaveLength(4);
  });

  test("[X9] [AG51] undo of a turn interrupted during a tool also takes back what the tool wrote", async () => {
    const { root, turn, undo, contents, store } = await session();
    expect(await turn("echo half > half.txt # and wait")).toMatchObject({ status: "interrupted" });
    expect(existsSync(join(root, "half.txt"))).toBe(true);
    const kinds = store.read("T-1", (history) => [...listHistory(history)].map(({ operation }) => operation.kind));
    expect(kinds).not.toContain("files-edited");
    expect(await undo()).toMatchObject({ kind: "done" });
    expect(existsSync(join(root, "half.txt"))).toBe(false);
    expect(contents()).toEqual([]);
  });

  test("[X9] [AG74] abandons the turn when a tool's changes cannot be captured, and ends it once the files are back", async () => {
    const { root, turn, dryRun, undo, store } = await session();
    await expect(turn("rm -r ../work", { turn: "t" })).rejects.toMatchObject({ code: "refused-root" });
    mkdirSync(root);
    expect(await dryRun()).toMatchObject({ kind: "would-do", plan: { turns_undone: 1 } });
    expect(store.read("T-1", ({ state }) => turnOf(state, "main", "t"))).toMatchObject({ status: "interrupted" });
    await undo();
    expect(readFileSync(join(root, "kept.txt"), "utf8")).toBe("kept\n");
  });

  test("[AG44] [AG45] waits for a disk that is full while the model speaks, and repeats no text", async () => {
    const { turn, contents, events, workspace } = await session();
    const pages = Number(workspace.database.prepare("PRAGMA page_count").get()?.["page_count"]);
    const limit = (most: number) => workspace.database.prepare(`PRAGMA max_page_count = ${most}`).get();
    const long: Model = {
      name: "test/long",
      async *stream() {
        if (!events.some(({ type }) => type === "retry")) limit(pages + 8);
        yield { kind: "text", text: "word ".repeat(100_000) };
        yield { kind: "responded", stop: "end", calls: [], usage: {} };
      },
    };
    const onEvent = (event: TurnEvent) => {
      events.push(event);
      if (event.type === "retry") limit(1_000_000);
    };
    expect(await turn("go", { model: long, onEvent })).toMatchObject({ status: "finished" });
    expect(contents()).toEqual(["go", "word ".repeat(100_000)]);
    expect(events).toContainEqual(expect.objectContaining({ type: "retry", message: expect.stringMatching(/full/) }));
  });

  test("[AG44] [AG74] a result that the store rejects ends the turn as failed, with the tool's changes", async () => {
    const { root, turn, undo, contents, workspace } = await session();
    workspace.database.run(
      `CREATE TRIGGER full BEFORE INSERT ON operations WHEN NEW.body LIKE '%"kind":"turn-streamed"%' AND NEW.body LIKE '%t.2%'
       BEGIN SELECT RAISE(ABORT, 'the store says no'); END`,
    );
    const ended = await turn("echo one > a.txt", { turn: "t" });
    expect(ended).toMatchObject({ status: "failed", failure: { origin: "io", message: "the store says no" } });
    expect(contents()).toEqual(["echo one > a.txt", "", "ok"]);
    await undo();
    expect(existsSync(join(root, "a.txt"))).toBe(false);
  });

  test("[F36] a turn that the provider refuses stays as failed, and the next request leaves it out", async () => {
    const { turn, contents } = await session();
    const asked: string[] = [];
    const answer = (end: ModelEnd): Model => ({
      name: "test/model",
      async *stream({ messages }) {
        asked.push(JSON.stringify(messages));
        yield end;
      },
    });
    const refused = answer({ kind: "failed", code: "invalid-key", message: "401" });
    expect(await turn("the first", { model: refused })).toMatchObject({ status: "failed" });
    await turn("the second", { model: answer({ kind: "responded", stop: "end", calls: [], usage: {} }) });
    expect(contents()).toEqual(["the first", "the second"]);
    expect(asked[1]).toContain("the second");
    expect(asked[1]).not.toContain("the first");
  });

  test("[AG75] a watcher that throws ends the turn as failed, after its tool has ended", async () => {
    const { turn, store } = await session();
    const onEvent = (event: TurnEvent) => {
      if (event.type === "tool-output") throw new Error("the screen is gone");
    };
    const ended = await turn("echo half > half.txt # and wait", { onEvent });
    expect(ended).toMatchObject({ status: "failed", failure: { origin: "io", message: "the screen is gone" } });
    expect(store.read("T-1", ({ state }) => [...entries(state, "main")].at(-1)?.tool_result?.status)).toBe(
      "interrupted",
    );
  });

  test("[AG53] the end of the process shuts the agent down and interrupts its turn", async () => {
    const { turn } = await session();
    const ending = new AbortController();
    const onEvent = ({ type }: TurnEvent) => void (type === "tool-output" && ending.abort(SHUTDOWN));
    const ended = await turn("echo half > half.txt # and wait", { onEvent, signal: ending.signal });
    expect(ended).toMatchObject({ status: "interrupted" });
  });

  test("[L9] [X9] [F21] ends a turn whose process is gone; what changed while no tool ran is the user's", async () => {
    const { root, undo, dryRun, contents, store } = await session();
    const context = { id: "killed", at: Date.now(), actor: { kind: "agent" } } as const;
    const submitted = {
      kind: "prompt-submitted",
      turn_id: "t",
      prompt: "go",
      model: "m",
      at: 1,
    } as const;
    const agent = { ...transition(IDLE_AGENT, submitted).state };
    store.change("T-1", ({ state }) =>
      startTurn(state, context, { turn_id: "t", prompt: { id: "p", content: "go" }, agent }),
    );
    writeFileSync(join(root, "late.txt"), "late\n");
    expect(contents()).toEqual(["go"]);
    expect(await dryRun()).toMatchObject({ kind: "would-do", plan: { turns_undone: 1 } });
    const ended = store.read("T-1", ({ state }) => turnOf(state, "main", "t"));
    expect(ended).toMatchObject({ status: "interrupted", receipt: { files: 2, effects: [] } });
    expect(await undo()).toMatchObject({ kind: "done", plan: { turns_undone: 1 } });
    expect(existsSync(join(root, "late.txt"))).toBe(true);
    expect(contents()).toEqual([]);
  });
});
