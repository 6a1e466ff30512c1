import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { activeTake, changeSetting, entries, line } from "@retake/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Model, ModelEnd, ModelRequest } from "../model/model.ts";
import { TemporaryRetake } from "../testing/temporary-retake.ts";
import type { TurnEvent } from "./turn.ts";

let place: TemporaryRetake;
let thread: string;
beforeEach(async () => {
  place = new TemporaryRetake();
  thread = await place.workspace.newThread("talk");
});
afterEach(() => place.remove());

function configure(text: string): void {
  const { config } = place.workspace.store.directories;
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "config.toml"), text);
}

/** A model that gives a fixed answer and reports this many tokens. */
function counting(tokens: number, asked: ModelRequest[] = []): Model {
  return {
    name: "compatible/counting",
    async *stream(request) {
      asked.push(request);
      yield { kind: "text", text: request.purpose === "compress" ? "In short." : "Yes." };
      const usage = { input_tokens: tokens - 10, output_tokens: 10 };
      yield { kind: "responded", stop: "end", calls: [], usage } satisfies ModelEnd;
    },
  };
}

async function say(prompt: string, model: Model, events: TurnEvent[] = []) {
  return place.workspace.run({
    thread,
    prompt,
    model,
    mode: "all" as const,
    approve: async () => "deny" as const,
    onEvent: (event) => void events.push(event),
    signal: new AbortController().signal,
  });
}

const notices = (events: readonly TurnEvent[]) =>
  events.flatMap((event) => (event.type === "notice" ? [event.message] : []));

function contents(): string[] {
  return place.workspace.store.read(thread, ({ state }) =>
    [...entries(state, activeTake(state))].map(({ content }) => content),
  );
}

describe("a conversation near the model's limit", () => {
  beforeEach(() => configure('[context_windows]\n"compatible/counting" = 1000\n'));

  test("[B11] tells the user at four fifths, and changes nothing", async () => {
    const events: TurnEvent[] = [];
    await say("one", counting(799), events);
    expect(notices(events)).toEqual([]);
    await say("two", counting(820), events);
    expect(notices(events)).toEqual([expect.stringContaining("82 % full")]);
    expect(contents()).toEqual(["one", "Yes.", "two", "Yes."]);
  });

  test("[B11] [X2] [F71] when it is full, summarizes the older part before the next turn, once; undo brings it back", async () => {
    for (const prompt of ["one", "two", "three"]) await say(prompt, counting(100));
    await say("four", counting(950));
    const before = contents();
    const asked: ModelRequest[] = [];
    const events: TurnEvent[] = [];
    await say("five", counting(100, asked), events);
    expect(asked.map(({ purpose }) => purpose)).toEqual(["compress", undefined]);
    expect(notices(events)).toHaveLength(2);
    expect(contents()).toEqual([expect.stringContaining("In short."), ...before.slice(4), "five", "Yes."]);
    const summaries = place.workspace.store.read(thread, (history) =>
      [...line(history, history.state.head)].filter(({ kind }) => kind === "entries-compressed"),
    );
    expect(summaries).toMatchObject([
      { actor: { kind: "agent" }, description: "Compress 4 entries into one, because the context was full" },
    ]);
    await say("six", counting(100, asked));
    expect(asked).toHaveLength(3);
    await place.workspace.undo(thread, { count: 3 });
    expect(contents()).toEqual(before);
  });

  test.each([0, 3])(
    "[B11] results that overflow the window are summarized before the next turn, which then finishes (after %i other turns)",
    async (others) => {
      configure('[context_windows]\n"compatible/counting" = 20000\n');
      for (let turn = 0; turn < others; turn += 1) await say(`turn ${turn}`, counting(1000));
      const calls = ["a", "b", "c"].map((id) => ({ id, name: "read", input: { path: `${id}.txt` } }));
      for (const { id } of calls) place.write(`${id}.txt`, `${"word ".repeat(19)}\n`.repeat(500));
      /** Reads three files in its first step, and accepts what fits into the window. */
      const reading: Model = {
        name: "compatible/counting",
        async *stream(request) {
          const { messages, step, purpose } = request;
          const tokens = Math.round(JSON.stringify(messages).length / 4);
          if (tokens + request.max_tokens > 20_000) yield { kind: "failed", code: "context-overflow", message: "No." };
          else if (step > 1 || purpose !== undefined || calls.length === 0) yield* counting(tokens).stream(request);
          else yield { kind: "responded", stop: "tool-calls", calls: calls.splice(0), usage: { input_tokens: tokens } };
        },
      };
      const events: TurnEvent[] = [];
      expect(await say("look", reading, events)).toMatchObject({ failure: { code: "context-overflow" } });
      expect(notices(events)).toEqual([expect.stringMatching(/^The context is 1\d\d % full/)]);
      expect(await say("go on", reading)).toMatchObject({ status: "finished" });
      expect(contents().slice(-3)).toEqual([expect.stringContaining("In short."), "go on", "Yes."]);
    },
  );

  test("[B11] [P3] [H16] is summarized before a retry with a model of less room; one undo brings all of it back", async () => {
    configure('[context_windows]\n"compatible/counting" = 1000\n"compatible/large" = 100000\n');
    const large = { ...counting(2000), name: "compatible/large" };
    for (const prompt of ["one", "two", "three"]) await say(prompt, large);
    const before = contents();
    const asked: ModelRequest[] = [];
    const events: TurnEvent[] = [];
    const retry = (model: Model) =>
      place.workspace.retry({
        ...{ thread, prompt: "three", model, mode: "all", signal: new AbortController().signal },
        ...{ approve: async () => "deny", onTakenBack: () => {}, onEvent: (event) => void events.push(event) },
      });
    expect(await retry(large)).toMatchObject({ status: "finished" });
    expect([contents(), notices(events)]).toEqual([before, []]);
    expect(await retry(counting(100, asked))).toMatchObject({ status: "finished" });
    expect(asked.map(({ purpose }) => purpose)).toEqual(["compress", undefined]);
    expect(JSON.stringify(asked[0]?.messages)).not.toContain("three");
    expect(contents()).toEqual([expect.stringContaining("In short."), "three", "Yes."]);
    await place.workspace.undo(thread, { count: 1 });
    expect(contents()).toEqual(before);
    await place.workspace.redo(thread, 1);
    expect(contents()).toEqual([expect.stringContaining("In short."), "three", "Yes."]);
    await place.workspace.undo(thread, { count: 3 });
    expect(contents()).toEqual(before.slice(0, 4));
  });

  test("[B11] stays unchanged when auto_compress is off", async () => {
    const off = { field: "auto_compress", value: false } as const;
    place.workspace.store.change(thread, (state, context) => changeSetting(state, context, off));
    for (const prompt of ["one", "two", "three"]) await say(prompt, counting(950));
    expect(contents()).toEqual(["one", "Yes.", "two", "Yes.", "three", "Yes."]);
  });

  test("[B11] reports a failed summary, and tries the turn anyway", async () => {
    for (const prompt of ["one", "two", "three"]) await say(prompt, counting(100));
    await say("four", counting(950));
    const failing: Model = {
      ...counting(100),
      async *stream(request) {
        if (request.purpose === "compress") yield { kind: "failed", code: "refused", message: "No." };
        else yield* counting(100).stream(request);
      },
    };
    const events: TurnEvent[] = [];
    expect(await say("five", failing, events)).toMatchObject({ status: "finished" });
    expect(notices(events).at(-1)).toContain("It was not summarised");
    expect(contents()).toHaveLength(10);
  });
});

describe("[AG48] an answer without text and calls", () => {
  const answering = (answers: string[], asked: ModelRequest[] = []): Model => ({
    name: "compatible/quiet",
    async *stream(request) {
      asked.push(request);
      const text = answers.shift() ?? "";
      if (text !== "") yield { kind: "text", text };
      yield { kind: "responded", stop: "end", calls: [], usage: { output_tokens: 1 } };
    },
  });

  test("is asked for once more; if that is empty too the turn failed, and [F36] is not sent to the model later", async () => {
    const asked: ModelRequest[] = [];
    expect(await say("one", answering(["", "Yes."], asked))).toMatchObject({ status: "finished" });
    expect(await say("two", answering(["", ""], asked))).toMatchObject({
      status: "failed",
      failure: { code: "empty-answer", message: "The model answered with nothing." },
    });
    await say("three", answering(["Yes."], asked));
    const turns = asked.filter(({ purpose }) => purpose === undefined);
    expect(turns).toHaveLength(5);
    expect(JSON.stringify(turns.at(-1)?.messages)).not.toContain("two");
  });
});

test("reports the cost of a turn when the model's prices are set", async () => {
  configure('[prices."compatible/counting"]\ninput = 1\noutput = 10\n');
  const events: TurnEvent[] = [];
  await say("hello", counting(1010), events);
  expect(events.at(-1)).toMatchObject({ type: "turn-finished", cost: 0.0011 });
});

describe("[X10] tools of MCP servers in a turn", () => {
  const program = fileURLToPath(new URL("../mcp/testing/server-program.ts", import.meta.url));

  /** Calls one tool, then reports its result. */
  const calling = (name: string, input: object): Model => ({
    name: "test/calling",
    async *stream({ step, messages }) {
      const usage = { output_tokens: 1 };
      if (step === 1) {
        const call = { id: "call-1", name, input: input as never };
        yield { kind: "responded", stop: "tool-calls", calls: [call], usage };
        return;
      }
      const result = messages.at(-1)?.parts.find((part) => part.type === "tool-result");
      yield { kind: "text", text: `It said: ${result?.output}` };
      yield { kind: "responded", stop: "end", calls: [], usage };
    },
  });

  test("are offered and run; their file changes are undone, other effects are announced", async () => {
    configure(`[mcp.test]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(program)}]\n`);
    const events: TurnEvent[] = [];
    const ended = await say("go", calling("test__write", { path: "far.txt", content: "from afar" }), events);
    expect(contents().at(-1)).toBe("It said: written");
    expect(readFileSync(join(place.root, "far.txt"), "utf8")).toBe("from afar");
    expect(JSON.stringify("receipt" in ended && ended.receipt)).toContain("write of the MCP server test");
    await place.workspace.undo(thread, { count: 1 });
    expect(() => readFileSync(join(place.root, "far.txt"))).toThrow("ENOENT");
  });

  test("of a server that has ended are offered again in the next turn", async () => {
    configure(
      `[mcp.test]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(program)}, "--mortal"]\n`,
    );
    await say("go", calling("test__wait", {}));
    expect(contents().at(-1)).toContain("may or may not have done it");
    await say("again", calling("test__look", { at: "the moon" }));
    expect(contents().at(-1)).toBe("It said: saw the moon");
  });

  test("[AG50] a turn that is interrupted while a server starts does not wait for it", async () => {
    configure('[mcp.slow]\ncommand = "sh"\nargs = ["-c", "sleep 2; exit 1"]\n');
    const events: TurnEvent[] = [];
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const turn = {
      ...{ thread, turn: place.workspace.store.identity.id(), prompt: "hello", model: counting(10) },
      ...{ signal: controller.signal, onEvent: (event: TurnEvent) => void events.push(event) },
      ...{ approve: async () => "deny" as const, mayBegin: () => !controller.signal.aborted },
    };
    expect(await place.workspace.run(turn)).toMatchObject({ kind: "busy" });
    // It would have been reported as unreachable.
    expect(notices(events)).toEqual([]);
  });

  test("an unreachable server is reported, and the turn continues without it", async () => {
    configure('[mcp.gone]\ncommand = "/does/not/exist"\n');
    const events: TurnEvent[] = [];
    expect(await say("hello", counting(10), events)).toMatchObject({ status: "finished" });
    expect(notices(events)).toEqual([expect.stringContaining("[mcp.gone]")]);
  });

  test("of a server that is slow to fail are said to be missing once; later turns do not start it", async () => {
    configure('[mcp.slow]\ncommand = "sh"\nargs = ["-c", "echo started >> started.txt; sleep 1.2; exit 1"]\n');
    const starts = () => readFileSync(join(place.root, "started.txt"), "utf8");
    const [first, second, third]: [TurnEvent[], TurnEvent[], TurnEvent[]] = [[], [], []];
    await say("one", counting(10), first);
    expect(notices(first)).toEqual([expect.stringMatching(/not tried for 5 minutes; retake mcp tries it now/)]);
    await say("two", counting(10), second);
    expect([starts(), notices(second)]).toEqual(["started\n", []]);
    // A changed configuration is tried at once.
    configure('[mcp.slow]\ncommand = "sh"\nargs = ["-c", "echo again >> started.txt; exit 1"]\n');
    await say("three", counting(10), third);
    expect([starts(), notices(third).length]).toEqual(["started\nagain\n", 1]);
  });
});
