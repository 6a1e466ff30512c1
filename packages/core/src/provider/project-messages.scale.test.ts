import { describe, expect, test } from "vitest";
import { AI, type Entry, TOOL, USER } from "../session/entry.ts";
import { projectMessages } from "./project-messages.ts";
import { MODEL } from "./testing/conversation.ts";

const thinking_segments = [{ text: "hm", signature: "s", model: MODEL, prefix: "p" }];
const call = (id: string) => ({ id, name: "read", input: { path: "src/index.ts" } });
const result = (call_id: string) => ({ call_id, name: "read", status: "completed" }) as const;

/** Makes an entry from its index and the number of all entries. */
type Shape = (index: number, count: number) => Partial<Entry>;

const shapes: Record<string, Shape> = {
  "turns with tools": (index) => {
    if (index % 4 === 0) return { role: USER };
    if (index % 4 === 2) return { role: TOOL, tool_result: result(`c${index - 1}`) };
    return { role: AI, thinking_segments, ...(index % 4 === 1 ? { tool_calls: [call(`c${index}`)] } : {}) };
  },
  "answers in a row, each with thinking": () => ({ role: AI, thinking_segments }),
  "one id for all calls, the results after them": (index, count) =>
    index < count / 2 ? { role: AI, tool_calls: [call("x")] } : { role: TOOL, tool_result: result("x") },
  "one id for all calls, the results before them": (index, count) =>
    index < count / 2 ? { role: TOOL, tool_result: result("x") } : { role: AI, tool_calls: [call("x")] },
  "ids that look like those we give": (index) => ({
    role: AI,
    tool_calls: [call(index % 2 === 0 ? "x" : `x-${index}`)],
  }),
  "one step with all the calls": (index, count) =>
    index === 0
      ? { role: AI, tool_calls: Array.from({ length: count }, () => call("x")) }
      : { role: TOOL, tool_result: result("x") },
};

describe("projectMessages in long conversations", () => {
  test.each(Object.entries(shapes))("[P6] hashes ten times as much for ten times as many entries: %s", (_, shape) => {
    expect(hashed(shape, 10_000) / hashed(shape, 1_000)).toBeLessThan(12);
  });

  // A quadratic walk takes minutes; the benchmark measures the exact time.
  test.each(Object.entries(shapes))("[P6] projects 50,000 entries without delay: %s", (_, shape) => {
    hashed(shape, 50_000);
  });
});

function hashed(shape: Shape, count: number): number {
  const entries = Array.from({ length: count }, (_, index): Entry => {
    const about = {
      id: `e${index}`,
      order: "",
      role: USER,
      content: "some text",
      ts: "",
      collapsed: false,
      read_mode: true,
    };
    return { ...about, ...shape(index, count) };
  });
  let characters = 0;
  const hash = (text: string): string => {
    characters += text.length;
    return String(characters);
  };
  projectMessages({ entries, system: "", model: MODEL, hash });
  return characters;
}
