import { textWidth } from "@retake/tui/text";
import { expect, test } from "vitest";
import { Output } from "./output.ts";
import { TestWorld } from "./testing/test-world.ts";

/** The output on a terminal of so many columns; without a number, into a pipe. */
function printed(columns: number | undefined, print: (output: Output) => void): string[] {
  const world = new TestWorld({ directory: "/", environment: { NO_COLOR: "1" }, columns });
  print(new Output(false, world));
  return world.stdout.split("\n").slice(0, -1);
}

const LONG = "Retake never loses anything, keeps what you typed meanwhile, and is exact after a kill";
const ROWS = [
  ["●", "#12", "3 minutes ago", LONG],
  [" ", "mzkq", "just now", "日本語のファイル 😀 と結合文字 e\u0301"],
];

test.each([undefined, 0])("[F66] nothing is cut or wrapped where the width is %s", (columns) => {
  const lines = printed(columns, (output) => {
    for (const line of [...output.table(ROWS), ...output.facts(ROWS), LONG]) output.line(line);
  });
  expect(lines).toHaveLength(5);
  expect(lines.filter((line) => line.includes(LONG))).toHaveLength(3);
  expect(lines.join("")).not.toContain("…");
});

test.each([40, 60, 100])("[F66] every line has room in %i columns", (columns) => {
  const lines = printed(columns, (output) => {
    for (const line of [...output.table(ROWS), ...output.facts(ROWS), LONG]) output.line(line);
  });
  for (const line of lines) expect(textWidth(line), line).toBeLessThanOrEqual(columns);
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== "");
  // Facts and sentences say all their words.
  expect(words(lines.join(" ")).slice(-words(LONG).length)).toEqual(words(LONG));
});

test("[F66] cells line up by what they take on the screen", () => {
  const rows = [
    ["日本", "first"],
    ["😀", "second"],
    ["cafe\u0301", "third"],
    ["x", "fourth"],
  ];
  const lines = printed(80, (output) => output.say({}, () => output.table(rows)));
  expect(lines).toEqual(["日本  first", "😀    second", "cafe\u0301  third", "x     fourth"]);
});

test("[F66] in a narrow terminal the last cell is below the others", () => {
  const lines = printed(40, (output) => output.say({}, () => output.table(ROWS)));
  expect(lines.slice(0, 2)).toEqual(["●  #12   3 minutes ago", "    Retake never loses anything, keeps …"]);
});

test("[F66] a fact that no line has room for is below its name, whole", () => {
  const path = `/${"deep/".repeat(20)}file.ts`;
  expect(printed(60, (output) => output.say({}, () => output.facts([["Workspace", path]])))).toEqual([
    "Workspace",
    `    ${path}`,
  ]);
});

test("[F66] a patch is left as it is", () => {
  expect(printed(40, (output) => output.say({}, () => [{ verbatim: `+${LONG}` }]))).toEqual([`+${LONG}`]);
});

test("[F4] in a pipe, only exact text keeps what a terminal obeys", () => {
  const text = "+a\u001b[2Jb";
  const lines = [{ verbatim: text }, text, { exact: text }];
  expect(printed(undefined, (output) => output.say({}, () => lines))).toEqual(["+a␛[2Jb", "+a␛[2Jb", text]);
  expect(printed(80, (output) => output.say({}, () => lines))).toEqual(["+a␛[2Jb", "+a␛[2Jb", "+a␛[2Jb"]);
});

test.each([{ TERM: "dumb" }, { TERM: "xterm", NO_COLOR: "1" }])("colours are left out with %j", (environment) => {
  const styled = (more: object) => {
    const world = new TestWorld({ directory: "/", environment: { ...more }, columns: 80 });
    return new Output(false, world).style("red", "x");
  };
  expect(styled({ TERM: "xterm" })).not.toBe("x");
  expect(styled(environment)).toBe("x");
});
