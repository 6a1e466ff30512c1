import { describe, expect, test } from "vitest";
import { blocksOf } from "./blocks.ts";

describe("blocks of Markdown", () => {
  test("paragraphs, fences and lists are blocks of their own", () => {
    const text = "One\ntwo\n\n```ts\nlet a = 1;\n\nlet b;\n```\n- x\n\n- y";
    expect(blocksOf(text, true)).toEqual([
      { text: "One\ntwo", done: true },
      { text: "", done: true, code: { language: "ts", text: "let a = 1;\n\nlet b;" } },
      { text: "- x\n\n- y", done: true },
    ]);
  });

  test("a fence that is still open is a block of code that is not done", () => {
    expect(blocksOf("a\n\n~~~sh\nls", false)).toEqual([
      { text: "a", done: true },
      { text: "", done: false, code: { language: "sh", text: "ls" } },
    ]);
  });

  test("code is as far in as its lines are beyond its fence", () => {
    expect(blocksOf("1. Run\n   ```sh\n   if a; then\n     b\n   ```\n2. Then", true)).toEqual([
      { text: "1. Run", done: true },
      { text: "", done: true, code: { language: "sh", text: "if a; then\n  b" } },
      { text: "2. Then", done: true },
    ]);
  });

  test("a line that begins with code between backticks opens no fence", () => {
    const text = "```a``` is code, and\n\nthis is not";
    expect(blocksOf(text, true).map((block) => block.text)).toEqual(["```a``` is code, and", "this is not"]);
  });

  test("of a text that grows, all blocks but the last stay the same", () => {
    const text = "# T\n\nsome *text* here\n\n```js\n1\n```\n\nmore\n\n1. a\n2. b\n\nend";
    for (let length = 1; length <= text.length; length += 1) {
      const before = blocksOf(text.slice(0, length - 1), false).filter(({ done }) => done);
      const after = blocksOf(text.slice(0, length), false);
      expect(after.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, Math.max(0, before.length - 1)));
    }
  });
});
