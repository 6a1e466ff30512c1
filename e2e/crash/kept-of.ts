import { expect } from "vitest";
import type { Answer } from "../testing/retake-place.ts";
import type { Seen } from "./crash-place.ts";

/**
 * How far a killed turn came. Everything from before must still be there, followed by the turn: with all that its
 * process reported as done, and nothing that seems to be still running.
 */
export function keptOf(before: Seen, seen: Seen, prompt: string, output: string): "not-begun" | "begun" | "finished" {
  const events = output.split("\n").flatMap((line): Answer[] => {
    try {
      return [JSON.parse(line) as Answer];
    } catch {
      // A line that the kill has cut.
      return [];
    }
  });
  const said = (type: string) => events.filter((event) => event["type"] === type);
  expect(seen.entries.slice(0, before.entries.length)).toEqual(before.entries);
  const [first, ...rest] = seen.entries.slice(before.entries.length);
  if (!first) {
    expect(said("turn-started")).toEqual([]);
    return "not-begun";
  }
  expect(first).toEqual(["User", prompt]);
  const results = rest.filter(([role]) => role === "Tool").map(([, content]) => content);
  for (const { content } of said("tool-ended")) expect(results).toContain(content);
  if (said("turn-finished").length === 0) return "begun";
  // An answer is shown as it comes and kept a moment later; it is acknowledged with its turn.
  const answers = rest.filter(([role]) => role === "AI").map(([, content]) => content);
  const texts = said("text").map((event) => event["text"]);
  expect(answers.join("")).toContain(texts.join(""));
  return "finished";
}
