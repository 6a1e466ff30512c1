import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ModelErrorCode, ModelPart, Part, ToolCall } from "@retake/core";
import { expect, test } from "vitest";
import type { Model, ModelEnd, ModelRequest } from "../model/model.ts";
import type { Approvals } from "../store/approvals.ts";
import { completed, defineTool } from "../tools/define-tool.ts";
import { temporaryPlaces } from "../tools/testing/temporary-place.ts";
import { TOOLS } from "../tools/tools.ts";
import { Budget } from "./budget.ts";
import { subAgent } from "./sub-agent.ts";

const newPlace = temporaryPlaces();

type Step = readonly (ModelPart | ModelEnd)[];

const text = (said: string): ModelPart => ({ kind: "text", text: said });
const calls = (...list: ToolCall[]): ModelEnd => ({ kind: "responded", stop: "tool-calls", calls: list, usage: {} });
const call = (name: string, input: object = {}, more: object = {}) => ({ id: "", name, input, ...more }) as ToolCall;
const ended = (stop: "end" | "length" | "refused" = "end", list: ToolCall[] = []): ModelEnd => {
  return { kind: "responded", stop, calls: list, usage: {} };
};
const failed = (code: ModelErrorCode): ModelEnd => ({ kind: "failed", code, message: "It failed.", retry_after_ms: 1 });

/** Runs a helper whose model answers with these steps, and then with a report. */
async function help(...steps: Step[]) {
  const place = newPlace();
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  writeFileSync(join(place.root, "a.png"), Buffer.from(png, "base64"));
  const asked: ModelRequest[] = [];
  const model: Model = {
    name: "test/model",
    async *stream(request) {
      asked.push(request);
      yield* steps[asked.length - 1] ?? [text("The report."), ended()];
    },
  };
  const ran: object[] = [];
  const mark = defineTool({
    name: "mark",
    description: "",
    input: { type: "object", properties: {} },
    examine: async () => ({ writes: false, paths: [], irreversible: [] }),
    run: async (input) => {
      ran.push(input);
      return completed("marked");
    },
  });
  const tool = subAgent({
    model,
    tools: [...TOOLS, mark],
    facts: {},
    budget: new Budget(0, undefined, () => 0),
    approvals: { of: () => ({ mode: "undoable", rules: [] }) } as unknown as Approvals,
    mode: undefined,
    chance: () => 0,
  });
  const end = await place.call(tool, { task: "Look." });
  const parts = asked.map(({ messages }) => messages.flatMap((message): readonly Part[] => message.parts));
  return { end, asked, parts, ran };
}

test.each(["overloaded", "rate-limited", "network", "invalid-image", "invalid-signature"] as const)(
  "[AG40] [AG46] a helper whose model fails with %s asks again, without the text of the failed attempt",
  async (code) => {
    const { end, asked, parts } = await help([calls(call("mark"))], [text("Half a rep"), failed(code)]);
    expect(end).toMatchObject({ outcome: "completed", content: "The report." });
    expect(asked).toHaveLength(3);
    expect(parts[2]).toEqual(parts[1]);
  },
);

test("[AG40] a helper gives up where asking again does not help, or has not helped often enough", async () => {
  const { end, asked } = await help([failed("invalid-key")]);
  expect(end).toMatchObject({ outcome: "failed", content: "The model failed: It failed." });
  expect(asked).toHaveLength(1);
  const always = Array.from({ length: 20 }, () => [failed("overloaded")]);
  expect((await help(...always)).asked).toHaveLength(9);
});

test("[PR9] [PR19] the conversation of a helper is sent by the rules of all requests", async () => {
  const { parts } = await help([text("\n\n"), calls(call("functions.read", { path: "a.txt" }))]);
  expect(parts[1]).toMatchObject([
    { type: "text", text: "Look." },
    { type: "tool-call", name: "functions_read" },
    { type: "tool-result", name: "functions_read", is_error: true },
  ]);
});

test("a helper is shown the image that it reads", async () => {
  const { parts, asked } = await help([calls(call("read", { path: "a.png" }))]);
  expect(parts[1]).toMatchObject([{ text: "Look." }, {}, { type: "tool-result" }, { type: "image", path: "a.png" }]);
  expect([...(asked[1]?.images?.values() ?? [])]).toEqual([expect.any(Uint8Array)]);
});

test("a helper gets signed thinking and signed calls back in its next step", async () => {
  const thinking: ModelPart = { kind: "thinking", text: "Hm.", signature: "proof" };
  const { parts } = await help([thinking, calls(call("mark", {}, { signature: "of the call" }))]);
  expect(parts[1]).toMatchObject([
    { text: "Look." },
    { type: "thinking", text: "Hm.", signature: "proof" },
    { type: "tool-call", signature: "of the call" },
    { type: "tool-result" },
  ]);
});

test("a call of a helper whose input is no JSON object, or whose model refuses, does not run", async () => {
  const broken = await help([calls(call("mark", {}, { invalid_input: '{"path": "/tmp' }))]);
  expect(broken.parts[1]?.at(-1)).toMatchObject({ output: expect.stringContaining("not a JSON object") });
  const refused = await help([ended("refused", [call("mark")])]);
  expect(refused.end).toMatchObject({ outcome: "failed", content: "The model declined to go on." });
  expect([...broken.ran, ...refused.ran]).toEqual([]);
});

test("a report that is cut off is no complete one", async () => {
  const { end } = await help([text("The bug is in"), ended("length")]);
  expect(end).toMatchObject({
    outcome: "failed",
    content: expect.stringMatching(/^The bug is in\n\n\(The report is cut/),
  });
});
