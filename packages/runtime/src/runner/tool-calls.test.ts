import { activeTake, entries, type ToolProgress } from "@retake/core";
import { afterEach, expect, test } from "vitest";
import type { Model, ModelEnd } from "../model/model.ts";
import { TemporaryRetake } from "../testing/temporary-retake.ts";
import { completed, defineTool } from "../tools/define-tool.ts";

const places: TemporaryRetake[] = [];
afterEach(async () => {
  for (const place of places.splice(0)) await place.remove();
});

/** Calls the tool once, and then ends. */
const model: Model = {
  name: "test/model",
  async *stream({ step, tools }) {
    const end: ModelEnd = { kind: "responded", stop: "end", calls: [], usage: {} };
    if (step > 1 || tools.length === 0) yield { kind: "text", text: "Done." };
    yield step > 1 || tools.length === 0
      ? end
      : { ...end, stop: "tool-calls", calls: [{ id: "a", name: "report", input: {} }] };
  },
};

test.each<[string, ToolProgress]>([
  ["half a character", { message: "\ud800" }],
  ["a message that no record can hold", { message: "long ".repeat(4_000_000) }],
  ["numbers that are no numbers", { fraction: Number.NaN, units: Number.POSITIVE_INFINITY }],
])("[L2] a tool that reports %s as its progress goes on, and so does its turn", async (_, progress) => {
  const place = new TemporaryRetake();
  places.push(place);
  const thread = await place.workspace.newThread("talk");
  const tool = defineTool({
    name: "report",
    description: "",
    input: { type: "object", properties: {} },
    examine: async () => ({ writes: false, paths: [], irreversible: [] }),
    run: async (__, run) => {
      run.report(progress);
      return completed("reported");
    },
  });
  const result = await place.workspace.run({
    thread,
    prompt: "go",
    tools: [tool],
    onEvent: () => {},
    model,
    mode: "all",
    approve: async () => "allow",
    signal: new AbortController().signal,
  });
  expect(result).toMatchObject({ type: "turn-finished", status: "finished" });
  const results = place.workspace.store.read(thread, ({ state }) =>
    [...entries(state, activeTake(state))].flatMap(({ tool_result, content }) => (tool_result ? [content] : [])),
  );
  expect(results).toEqual(["reported"]);
});
