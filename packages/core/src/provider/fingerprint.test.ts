import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { answerFingerprint, prefixFingerprint } from "./fingerprint.ts";
import type { AssistantPart, Message, UserPart } from "./message.ts";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
const user = (...parts: UserPart[]): Message => ({ role: "user", parts });
const assistant = (...parts: AssistantPart[]): Message => ({ role: "assistant", parts });
const text = (text: string, entry_id?: string) => ({ type: "text", text, ...(entry_id ? { entry_id } : {}) }) as const;
const call = (more: object = {}) =>
  ({ type: "tool-call", call_id: "c", name: "read", input: { a: 1, b: 2 }, entry_id: "e", ...more }) as AssistantPart;
const result = (more: object = {}) =>
  ({
    type: "tool-result",
    call_id: "c",
    name: "read",
    output: "A",
    is_error: false,
    entry_id: "r",
    ...more,
  }) as UserPart;
const of = (messages: Message[], system = "s"): string => prefixFingerprint({ system, messages }, hash);

const request = [user(text("go")), assistant(text("so"), call()), user(result(), text("next"))];

describe("prefixFingerprint", () => {
  test("[PR22] covers what is said, but not thinking, our own ids or the key order of an input", () => {
    const thinking = { type: "thinking", text: "hm", signature: "x", entry_id: "e" } as const;
    const same = [
      user(text("go", "other")),
      assistant(thinking, text("so"), call({ input: { b: 2, a: 1 }, entry_id: "f" })),
      user(result({ entry_id: "g" }), text("next")),
    ];
    expect(of(same)).toBe(of(request));
  });

  test.each<[string, Message[], string?]>([
    ["the system prompt", request, "t"],
    ["a text", request.with(0, user(text("go!")))],
    ["a role", request.with(1, user(text("so")))],
    ["a text more", request.with(0, user(text("go"), text("on")))],
    ["where a text ends", request.with(0, user(text("go\nuser text 2 on")))],
    ["a call's id", request.with(1, assistant(text("so"), call({ call_id: "d" })))],
    ["a call's input", request.with(1, assistant(text("so"), call({ input: { a: 1 } })))],
    ["a result", request.with(2, user(result({ output: "B" }), text("next")))],
    ["whether a result is an error", request.with(2, user(result({ is_error: true }), text("next")))],
    ["the end", request.slice(0, 2)],
  ])("[PR22] changes with %s", (_, other, system) => {
    expect(of(other, system)).not.toBe(of(request));
  });

  test("[PR22] no text can imitate a boundary", () => {
    expect(of([user(text("a\nuser text 1 b"))])).not.toBe(of([user(text("a"), text("b"))]));
    expect(of([user(text("a\nuser text b"))])).not.toBe(of([user(text("a"), text("b"))]));
  });

  test("[PR22] works for texts longer than a link", () => {
    const long = (end: string) => [user(text("x".repeat(9000)), text("y".repeat(9000)), text(end))];
    expect(of(long("1"))).not.toBe(of(long("2")));
  });
});

describe("answerFingerprint", () => {
  test("[PR23] changes with the text and the calls, not with the order of an input's keys", () => {
    const step = (content: string, input: { [key: string]: number }) =>
      answerFingerprint({ content, tool_calls: [{ id: "c", name: "read", input }] }, hash);
    expect(step("a", { x: 1, y: 2 })).toBe(step("a", { y: 2, x: 1 }));
    expect(step("a", { x: 1 })).not.toBe(step("b", { x: 1 }));
    expect(step("a", { x: 1 })).not.toBe(step("a", { x: 2 }));
  });
});
