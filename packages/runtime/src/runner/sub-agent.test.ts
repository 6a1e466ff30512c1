import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { activeTake, entries, type JsonObject, type Part } from "@retake/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Model, ModelEnd, ModelRequest } from "../model/model.ts";
import { TemporaryRetake } from "../testing/temporary-retake.ts";
import type { TurnEvent } from "./turn.ts";

let place: TemporaryRetake;
let thread: string;
let asked: ModelRequest[];
beforeEach(async () => {
  place = new TemporaryRetake();
  thread = await place.workspace.newThread("talk");
  asked = [];
});
afterEach(() => place.remove());

type Calls = readonly { readonly name: string; readonly input: JsonObject }[];

/** A model that makes the calls of each conversation, found by its first text, step by step, and then reports. */
function playing(plays: Readonly<Record<string, readonly Calls[]>>): Model {
  return {
    name: "compatible/playing",
    async *stream(request) {
      asked.push(request);
      const parts = request.messages.flatMap((message): readonly Part[] => message.parts);
      const first = parts.find((part) => part.type === "text" && !part.attached);
      const task = first?.type === "text" ? first.text : "";
      const calls = plays[task]?.[request.step - 1] ?? [];
      yield { kind: "text", text: calls.length > 0 ? "" : `Report on ${task}.` };
      const named = calls.map((call, index) => ({ ...call, id: `c${index}` }));
      const stop = calls.length > 0 ? "tool-calls" : "end";
      yield { kind: "responded", stop, calls: named, usage: { input_tokens: 100 } } satisfies ModelEnd;
    },
  };
}

const say = (model: Model, mode: "undoable" | "ask" | "all" = "undoable", events: TurnEvent[] = []) =>
  place.workspace.run({
    ...{ thread, prompt: "go", model, mode },
    approve: async () => "allow",
    onEvent: (event) => void events.push(event),
    signal: new AbortController().signal,
  });

const file = (name: string) => join(place.root, name);
const results = () =>
  place.workspace.store.read(thread, ({ state }) =>
    [...entries(state, activeTake(state))].flatMap(({ tool_result, content, ...rest }) =>
      tool_result
        ? [{ content, record: String((rest as { details?: { record?: unknown } }).details?.record ?? "") }]
        : [],
    ),
  );

const write = (path: string, content: string) => ({ name: "write", input: { path, content } });
const helper = (task: string, may_write: boolean) => ({ name: "agent", input: { task, may_write } });

describe("a sub-agent", () => {
  test("[U1] two of them are undone and redone with their turn as one", async () => {
    writeFileSync(file("mine.txt"), "mine");
    const model = playing({
      go: [[helper("one", true), helper("two", true)]],
      one: [[write("one.txt", "1")], [write("both.txt", "one\n")]],
      two: [[write("two.txt", "2")], [write("sub/two.txt", "22")]],
    });
    expect(await say(model)).toMatchObject({ status: "finished", usage: { input_tokens: 800 } });
    const made = ["one.txt", "both.txt", "two.txt", "sub/two.txt"];
    expect(made.map((name) => existsSync(file(name)))).toEqual([true, true, true, true]);
    expect(results().map(({ content }) => content)).toEqual(["Report on one.", "Report on two."]);
    expect(results()[0]?.record).toContain("● write one.txt");
    await place.workspace.undo(thread, { count: 1 });
    expect(made.some((name) => existsSync(file(name)))).toBe(false);
    expect(existsSync(file("sub"))).toBe(false);
    expect(readFileSync(file("mine.txt"), "utf8")).toBe("mine");
    expect(results()).toEqual([]);
    await place.workspace.redo(thread, 1);
    expect(readFileSync(file("sub/two.txt"), "utf8")).toBe("22");
    expect(results()).toHaveLength(2);
  });

  test("only reads unless it may write, has no helpers of its own, and cannot ask", async () => {
    const model = playing({
      go: [[helper("read", false), helper("push", true)]],
      read: [
        [write("a.txt", "1")],
        [{ name: "agent", input: { task: "more" } }],
        [{ name: "read", input: { path: "b.txt" } }],
      ],
      push: [[write("../outside.txt", "1")]],
    });
    writeFileSync(file("b.txt"), "there");
    await say(model);
    expect(existsSync(file("a.txt"))).toBe(false);
    expect(existsSync(join(place.root, "..", "outside.txt"))).toBe(false);
    const said = results().map(({ record }) => record);
    expect(said[0]).toContain("this helper only reads");
    expect(said[0]).toContain("There is no tool agent");
    expect(said[1]).toContain("cannot ask the user");
    const last = asked.filter(({ messages }) => JSON.stringify(messages).includes("there")).at(-1);
    expect(last).toBeDefined();
  });

  test("[P6] gets every result of a step in one message, with the ids of its calls", async () => {
    const glob = { name: "glob", input: { pattern: "*" } };
    await say(playing({ go: [[helper("look", false)]], look: [[glob, glob]] }));
    const { messages = [] } =
      asked.filter(({ messages: [first] }) => JSON.stringify(first).includes("look")).at(-1) ?? {};
    const [, answer, reply] = messages;
    const ids = (answer?.parts ?? []).flatMap((part) => (part.type === "tool-call" ? [part.call_id] : []));
    expect(new Set(ids).size).toBe(2);
    expect((reply?.parts ?? []).map((part) => (part.type === "tool-result" ? part.call_id : part.type))).toEqual(ids);
  });

  test("in the mode ask, one that may write is asked about and one that only reads is not", async () => {
    const questions: string[] = [];
    const run = (task: string, may_write: boolean) =>
      place.workspace.run({
        ...{ thread, prompt: "go", model: playing({ go: [[helper(task, may_write)]] }), mode: "ask" as const },
        approve: async ({ input }) => {
          questions.push(String(input["task"]));
          return "deny";
        },
        onEvent: () => {},
        signal: new AbortController().signal,
      });
    await run("reader", false);
    await run("writer", true);
    expect(questions).toEqual(["writer"]);
  });
});
