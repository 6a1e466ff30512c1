import { expect, test } from "vitest";
import { callDiff, countSigns } from "./call-diff.ts";

test.each([
  ["a new file", "write", { content: "one\ntwo\n" }, ["+one", "+two"], [2, 0]],
  ["an edit", "edit", { old_text: "a\nb\nc", new_text: "a\nB\nc" }, [" a", "-b", "+B", " c"], [1, 1]],
  ["a new line", "edit", { old_text: "# Todo\n", new_text: "# Todo\n- rest\n" }, [" # Todo", "+- rest"], [1, 0]],
  ["equal lines at both ends", "edit", { old_text: "x\nx", new_text: "x" }, [" x", "-x"], [0, 1]],
  [
    "several edits",
    "edit",
    {
      edits: [
        { old_text: "one", new_text: "1" },
        { old_text: "three\n", new_text: "" },
      ],
    },
    ["-one", "+1", "-three"],
    [1, 2],
  ],
  ["another tool", "read", { path: "a" }, [], [0, 0]],
] as const)(
  "[F2] the diff of a call shows and counts only the lines that change: %s",
  (_, name, input, lines, counts) => {
    const diff = callDiff(name, input as never);
    expect(diff).toEqual(lines);
    expect(Object.values(countSigns(diff))).toEqual(counts);
  },
);
