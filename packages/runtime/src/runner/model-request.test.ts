import {
  addPath,
  type Built,
  branch,
  type Context,
  changeSettings,
  compressEntries,
  createThread,
  editEntry,
  finishTurn,
  isRefusal,
  MAX_TEXT,
  MemoryHistory,
  noteSent,
  type Settings,
  type State,
  startTurn,
  streamTurn,
} from "@retake/core";
import { describe, expect, test } from "vitest";
import { modelRequest } from "./model-request.ts";

const MODEL = { model: "scripted/default" };

/** A thread in memory with a take `main`. */
class Thread {
  readonly #history = new MemoryHistory();
  #operations = 0;

  constructor() {
    const origin = { id: "T-1", workspace_root: "/w", cwd: "/w", retake_version: "0", private: false };
    this.do((_, context) => createThread(context, { origin, take: "main", title: "main" }));
  }

  get history(): MemoryHistory {
    return this.#history;
  }

  get state(): State {
    return this.#history.state;
  }

  do(build: (state: State, context: Context) => Built): void {
    this.#operations += 1;
    const context = { id: `op${this.#operations}`, at: this.#operations * 2000, actor: { kind: "user" } } as const;
    const built = build(this.state, context);
    if (isRefusal(built)) throw new Error(built.message);
    this.#history.commit(built.operation);
  }

  set(settings: Partial<Settings>): this {
    this.do((state, context) => changeSettings(state, context, { settings }));
    return this;
  }

  turn(name: string): this {
    const content = `prompt of ${name}`;
    this.do((state, context) =>
      startTurn(state, context, { turn_id: name, prompt: { id: `${name}.prompt`, content } }),
    );
    this.do((state, context) => {
      return streamTurn(state, context, { turn_id: name, entry: `${name}.1`, text: `answer of ${name}` });
    });
    this.do((state, context) => finishTurn(state, context, { turn_id: name, status: "finished" }));
    return this;
  }

  begin(name: string): this {
    const first = { id: `${name}.prompt`, content: `prompt of ${name}` };
    this.do((state, context) => startTurn(state, context, { turn_id: name, prompt: first }));
    return this;
  }
}

/** The same state, which notes the ids of the records that are read in it: of a walk, those that it passes. */
function watched(state: State, read: string[]): State {
  const space = state.spaces.get("main");
  if (!space) throw new Error("there is no take main");
  const records = new Proxy(space.records, {
    get: (target, name) => {
      if (name === "get")
        return (id: string) => {
          read.push(id);
          return target.get(id);
        };
      if (name !== "entries" && name !== "descending") return Reflect.get(target, name, target);
      return function* (from?: string) {
        for (const pair of target[name](from)) {
          read.push(pair[0]);
          yield pair;
        }
      };
    },
  });
  return { ...state, spaces: state.spaces.with("main", { ...space, records }) };
}

describe("the system prompt", () => {
  test("is the built-in one unless the user sets their own", () => {
    const thread = new Thread().set({ base_system_prompt: "mine" });
    expect(modelRequest(thread.state, "main", MODEL).content.system).toMatch(/^You are a coding agent\./);
    thread.set({ use_default_base_prompt: false });
    expect(modelRequest(thread.state, "main", MODEL).content.system).toBe("mine");
  });

  test("goes from the general to the particular, without blank parts", () => {
    const thread = new Thread().set({
      use_default_base_prompt: false,
      base_system_prompt: "base",
      global_system_prompt: " \n",
      project_system_prompt: "project",
    });
    const attached = [
      { kind: "instructions", name: "AGENTS.md", digest: "Use tabs." },
      { kind: "context-file", name: "a.md", digest: "```\ncode\n```\n" },
    ];
    const prompt = { id: "p", content: "go", attached };
    thread.do((state, context) => startTurn(state, context, { turn_id: "t", prompt }));
    const contents = { text: (digest: string) => digest, changes: () => "", wanted: () => true };
    expect(modelRequest(thread.state, "main", { ...MODEL, attached: contents }).content.system).toBe(
      "base\n\nproject\n\n# Instructions in AGENTS.md\n\nUse tabs.\n\n" +
        "# Context file a.md\n\n````\n```\ncode\n```\n````",
    );
  });
});

describe("the request", () => {
  test("[B11] is numbered by the prompts that are still in the take, and reads no other turns", () => {
    const thread = new Thread().turn("one").turn("two").turn("three");
    const summary = { id: "sum", role: "System", content: "summary" };
    thread.do((state, context) => compressEntries(state, context, { summary, through: "two.1" }));
    thread.begin("four");
    const read: string[] = [];
    expect(modelRequest(watched(thread.state, read), "main", MODEL).content.turn).toBe(2);
    expect(read.filter((id) => id.startsWith("turn:"))).toEqual(["turn:three", "turn:four"]);
  });

  test("[D6] contains the current conversation, with edits, and the settings", () => {
    const thread = new Thread().set({ temperature: 0.5, top_p: 0.9, max_tokens: 77 }).turn("one").begin("two");
    thread.do((state, context) => editEntry(state, context, { entry: "one.1", content: "edited" }));
    const { content } = modelRequest(thread.state, "main", MODEL);
    expect(content).toMatchObject({ temperature: 0.5, top_p: 0.9, max_tokens: 77, turn: 2 });
    expect(content.messages.flatMap(({ parts }) => parts.map((part) => part.type === "text" && part.text))).toEqual([
      "prompt of one",
      "edited",
      "prompt of two",
    ]);
  });

  test("[D6] the same state makes the same bytes", () => {
    const make = () => new Thread().set({ project_system_prompt: "p" }).turn("one").begin("two").state;
    const bytes = (state: State) => JSON.stringify(modelRequest(state, "main", MODEL));
    expect(bytes(make())).toBe(bytes(make()));
  });

  test("counts the turns of the take; in a branch, only those that it holds", () => {
    const thread = new Thread().turn("one").turn("two").turn("three");
    expect(modelRequest(thread.state, "main", MODEL).content.turn).toBe(3);
    thread.do((_, context) => branch(thread.history, context, { entry: "one.1", take: "side" }));
    thread.begin("four");
    expect(modelRequest(thread.state, "side", MODEL).content.turn).toBe(2);
    expect(modelRequest(thread.state, "main", MODEL).content.turn).toBe(3);
  });
});

describe("[D2] what the discussion keeps", () => {
  test("is the system prompt, the messages in Markdown and the context files, as sent", () => {
    const thread = new Thread().turn("one").begin("two");
    for (const path of ["b.md", "a.md"]) {
      thread.do((state, context) => addPath(state, context, { list: "context", member: { path, view: "full" } }));
    }
    const { sent, content } = modelRequest(thread.state, "main", MODEL);
    expect(sent).toEqual({
      sent_system_prompt: content.system,
      sent_markdown: "## User\n\nprompt of one\n\n## Assistant\n\nanswer of one\n\n## User\n\nprompt of two",
      context_snapshot: [
        { path: "b.md", view: "full" },
        { path: "a.md", view: "full" },
      ],
    });
  });

  test("can be stored with the turn, however long the prompt", () => {
    const thread = new Thread();
    const content = "x".repeat(MAX_TEXT);
    thread.do((state, context) => startTurn(state, context, { turn_id: "t", prompt: { id: "p", content } }));
    const discussion = modelRequest(thread.state, "main", MODEL).sent;
    const again = new Thread();
    again.do((state, context) => startTurn(state, context, { turn_id: "t", prompt: { id: "p", content } }));
    again.do((state, context) => noteSent(state, context, { turn_id: "t", discussion }));
    expect(again.state.spaces.get("main")?.records.get("discussion")).toEqual(discussion);
  });
});
