import { describe, expect, test } from "vitest";
import { messagesAsMarkdown } from "./messages-as-markdown.ts";
import { prompt } from "./testing/request.ts";

test("[D2] shows who said what, with calls and results in blocks that their content cannot end", () => {
  const call = { type: "tool-call", call_id: "c", name: "bash", input: { command: "ls" }, entry_id: "a" } as const;
  const result = { type: "tool-result", call_id: "c", name: "bash", entry_id: "r" } as const;
  const markdown = messagesAsMarkdown(
    [
      prompt("go"),
      { role: "assistant", parts: [{ type: "thinking", text: "hm", signature: "s", entry_id: "a" }, call] },
      { role: "user", parts: [{ ...result, output: "```", is_error: true }] },
    ],
    1000,
  );
  expect(markdown).toBe(
    [
      "## User",
      "go",
      "## Assistant",
      "(thinking)",
      "hm",
      "**bash** `c`",
      '```\n{\n  "command": "ls"\n}\n```',
      "## User",
      "Error of **bash** `c`",
      "````\n```\n````",
    ].join("\n\n"),
  );
});

describe("[D2] of a long conversation", () => {
  const messages = Array.from({ length: 100 }, (_, index) => prompt(`${index}`.padStart(100, ".")));

  test("shows the end, and says how much is left out", () => {
    const last = messagesAsMarkdown(messages, 1000);
    expect(last).toMatch(/^\(Left out here: the first \d+ messages\./);
    expect(last).toMatch(/\.99$/);
    expect(last.length).toBeLessThan(1500);
  });

  test("moves its start only now and then, so that two consecutive texts differ little", () => {
    const beginnings = messages.map((_, index) => messagesAsMarkdown(messages.slice(0, index + 1), 1000).slice(0, 300));
    expect(new Set(beginnings.slice(3)).size).toBeLessThan(25);
  });

  test("shows the last message, however long it is", () => {
    expect(messagesAsMarkdown([prompt("a"), prompt("b".repeat(5000))], 1000)).toContain("b".repeat(5000));
  });
});
