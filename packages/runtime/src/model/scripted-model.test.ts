import type { Message } from "@retake/core";
import { describe, expect, test } from "vitest";
import type { Script } from "./script.ts";
import { scriptedModel } from "./scripted-model.ts";
import { SCRIPTED_MODEL } from "./scripted-model-name.ts";
import { answer, prompt, request } from "./testing/request.ts";

const model = scriptedModel();

/** The conversation after the calls of a prompt have the given results. */
async function afterResults(text: string, results: readonly { output: string; is_error?: boolean }[]) {
  const { calls } = await answer(model, request([prompt(text)]));
  const messages: Message[] = [
    prompt(text),
    {
      role: "assistant",
      parts: calls.map(({ id, name, input }) => ({ type: "tool-call", call_id: id, name, input, entry_id: "step" })),
    },
    {
      role: "user",
      parts: results.map(({ output, is_error = false }, index) => {
        const { id = "", name = "" } = calls[index] ?? {};
        return { type: "tool-result", call_id: id, name, output, is_error, entry_id: `result ${index}` };
      }),
    },
  ];
  return answer(model, request(messages, { step: 2 }));
}

describe("a prompt", () => {
  test("becomes calls of real tools for its instructions, all in one step and in order", async () => {
    const { end, parts } = await answer(model, request([prompt("write a.txt: 1\nrun ls\ndelete b")], { turn: 3 }));
    const calls = [
      { id: "call_3_1_1", name: "write", input: { path: "a.txt", content: "1" } },
      { id: "call_3_1_2", name: "bash", input: { command: "ls" } },
      { id: "call_3_1_3", name: "bash", input: { command: "rm -r -- b" } },
    ];
    expect(end).toMatchObject({ kind: "responded", stop: "tool-calls", calls });
    expect(parts).toEqual([]);
  });

  test("without instructions is answered with a list of the instructions", async () => {
    const { end, text, parts } = await answer(model, request([prompt("Hello!")]));
    expect(end).toMatchObject({ kind: "responded", stop: "end", calls: [] });
    for (const form of ["write <path>: <content>", "append <path>", "delete <path>", "run <shell command>", "\\n"]) {
      expect(text).toContain(form);
    }
    expect(parts.length).toBeGreaterThan(3);
  });

  test("[D6] only the newest one counts, also after results of an interrupted turn", async () => {
    const messages: Message[] = [
      prompt("write old: 1"),
      {
        role: "assistant",
        parts: [{ type: "tool-call", call_id: "c", name: "write", input: {}, entry_id: "a" }],
      },
      {
        role: "user",
        parts: [
          { type: "tool-result", call_id: "c", name: "write", output: "", is_error: true, entry_id: "r" },
          { type: "text", text: "write older: 1", entry_id: "p1" },
          { type: "text", text: "write new: 2", entry_id: "p2" },
        ],
      },
    ];
    const { calls } = await answer(model, request(messages));
    expect(calls.map(({ input }) => input["path"])).toEqual(["new"]);
  });

  test("calls only offered tools", async () => {
    const { calls, text } = await answer(model, request([prompt("run ls")], { tools: [] }));
    expect(calls).toEqual([]);
    expect(text).toContain("no tool `bash`");
  });
});

describe("the answer after the tools", () => {
  test("reports what was done, and shows the output of a command", async () => {
    const done = await afterResults("write a.txt: 1\nappend b: 2\ndelete c\nrun ls", [
      { output: "12 bytes" },
      { output: "(no output)" },
      { output: "(no output)" },
      { output: "a.txt\nb" },
    ]);
    expect(done.text).toBe("Wrote `a.txt`.\n\nAppended to `b`.\n\nDeleted `c`.\n\nRan `ls`:\n\n```\na.txt\nb\n```");
    expect(done.end).toMatchObject({ kind: "responded", stop: "end", calls: [] });
  });

  test("reports what failed or was denied, and why", async () => {
    const { text } = await afterResults("write a: 1\nrun false", [
      { output: "This call was not allowed, so the tool was not run.", is_error: true },
      { output: "exit code 1", is_error: true },
    ]);
    expect(text).toContain("I could not write `a`:\n\n```\nThis call was not allowed");
    expect(text).toContain("I could not run `false`:\n\n```\nexit code 1");
  });

  test("names the lines that it did not understand", async () => {
    const { text } = await afterResults("be quick\nwrite a: 1", [{ output: "ok" }]);
    expect(text).toBe("Wrote `a`.\n\nI did not understand this, and left it alone:\n\n> be quick");
  });

  test("never calls again, after any edits of the conversation", async () => {
    const { calls, text } = await answer(model, request([prompt("write a: 1")], { step: 2 }));
    expect(calls).toEqual([]);
    expect(text).not.toBe("");
  });

  test("output full of backticks does not end its block", async () => {
    const { text } = await afterResults("run cat x.md", [{ output: "```\ncode\n```" }]);
    expect(text).toContain("````\n```\ncode\n```\n````");
  });
});

describe("as a model", () => {
  test("gives the same answer to the same request, part by part", async () => {
    const to = request([prompt("hello there")]);
    expect(await answer(model, to)).toEqual(await answer(model, to));
    expect(model.name).toBe(SCRIPTED_MODEL);
  });

  test("its parts are its whole text", async () => {
    const text = "  one two\n\nthree   four five 😀six\n";
    const script: Script = { turns: [{ steps: [{ text }] }] };
    const said = await answer(scriptedModel(script), request([]));
    expect(said.text).toBe(text);
    expect(said.parts).toHaveLength(2);
  });

  test("usage is a quarter of the characters", async () => {
    const script: Script = { turns: [{ steps: [{ text: "12345678" }] }] };
    const { end } = await answer(scriptedModel(script), request([prompt("1234")], { system: "12345678", tools: [] }));
    expect(end).toMatchObject({ usage: { input_tokens: 3, output_tokens: 2 } });
  });

  test("aborted before it begins, says nothing", async () => {
    const { parts, end } = await answer(model, request([prompt("hi")], { signal: AbortSignal.abort() }));
    expect({ parts, end }).toEqual({ parts: [], end: undefined });
  });

  test("aborted while it speaks, says nothing more", async () => {
    const abort = new AbortController();
    const said: unknown[] = [];
    for await (const part of model.stream(request([prompt("hi")], { signal: abort.signal }))) {
      said.push(part);
      abort.abort();
    }
    expect(said).toHaveLength(1);
  });

  test("aborted while it waits, stops waiting", async () => {
    const abort = new AbortController();
    const script: Script = { turns: [{ steps: [{ text: "late", delay_ms: 24 * 60 * 60 * 1000 }] }] };
    const ended = answer(scriptedModel(script), request([], { signal: abort.signal }));
    setImmediate(() => abort.abort());
    expect((await ended).end).toBeUndefined();
  });
});

describe("a script", () => {
  const script: Script = {
    turns: [
      {
        steps: [
          { thinking: "hm", text: "first", tool_calls: [{ name: "read", input: { path: "a" } }], delay_ms: 1 },
          { text: "second" },
        ],
      },
      { steps: [{ text: "partial", error: "overloaded" }, { error: "gremlins" }] },
    ],
  };
  const play = (turn: number, step: number) => answer(scriptedModel(script), request([], { turn, step }));

  test("plays the n-th step of the n-th turn, with everything in the step", async () => {
    expect(await play(1, 1)).toMatchObject({
      parts: [
        { kind: "thinking", text: "hm" },
        { kind: "text", text: "first" },
      ],
      end: { kind: "responded", stop: "tool-calls", calls: [{ id: "call_1_1_1", name: "read", input: { path: "a" } }] },
    });
    expect((await play(1, 2)).text).toBe("second");
  });

  test("starts again after its last turn, with ids of the current turn", async () => {
    const { text, calls } = await play(3, 1);
    expect(text).toBe("first");
    expect(calls[0]?.id).toBe("call_3_1_1");
  });

  test("ends a turn without calls after its last step", async () => {
    const { parts, end } = await play(1, 3);
    expect(parts).toEqual([]);
    expect(end).toMatchObject({ kind: "responded", stop: "end", calls: [] });
  });

  test("[AG40] fails with the named code after its text; an unknown code counts as a server error", async () => {
    const known = await play(2, 1);
    expect(known.text).toBe("partial");
    expect(known.end).toMatchObject({ kind: "failed", code: "overloaded" });
    expect((await play(2, 2)).end).toMatchObject({
      kind: "failed",
      code: "server",
      message: expect.stringContaining("gremlins"),
    });
  });
});
