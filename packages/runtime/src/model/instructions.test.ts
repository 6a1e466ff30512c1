import { expect, test } from "vitest";
import { readInstructions } from "./instructions.ts";

test.each([
  ["write a.txt: hello", { verb: "write", path: "a.txt", content: "hello" }],
  ["write a.txt:hello", { verb: "write", path: "a.txt", content: "hello" }],
  ["write a.txt:", { verb: "write", path: "a.txt", content: "" }],
  ["write a.txt:  two spaces ", { verb: "write", path: "a.txt", content: " two spaces " }],
  ["write my notes/día 1.txt: x: y", { verb: "write", path: "my notes/día 1.txt", content: "x: y" }],
  ["write a:b.txt: c", { verb: "write", path: "a:b.txt", content: "c" }],
  ["write a.txt: one\\ntwo\\n", { verb: "write", path: "a.txt", content: "one\ntwo\n" }],
  ["  append a.txt: more", { verb: "append", path: "a.txt", content: "more" }],
  ["delete  old file.txt ", { verb: "delete", path: "old file.txt" }],
  ["run echo 'a: b' && ls", { verb: "run", command: "echo 'a: b' && ls" }],
])("reads %j", (line, instruction) => {
  expect(readInstructions(line)).toEqual({ instructions: [instruction], others: [] });
});

test.each(["hello", "write a poem", "write : x", "delete", "delete  ", "run ", "Write a.txt: x", "rewrite a: b"])(
  "%j is no instruction",
  (line) => {
    expect(readInstructions(line)).toEqual({ instructions: [], others: [line.trim()] });
  },
);

test("reads instructions line by line, and returns the other lines separately", () => {
  const { instructions, others } = readInstructions("Please:\r\nwrite a: 1\r\n\r\nrun ls\nthanks");
  expect(instructions.map(({ verb }) => verb)).toEqual(["write", "run"]);
  expect(others).toEqual(["Please:", "thanks"]);
});
