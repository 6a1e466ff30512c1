import type { CallRow } from "@retake/client/screen";
import type { Entry } from "@retake/core";
import { expect, test } from "vitest";
import { lineText } from "../draw/line.ts";
import { rowLines } from "./row-lines.ts";

test.each([
  ["of a new file", true, "+2 -0"],
  ["that replaces a file", false, "replaced, 2 lines"],
  ["that has not run", undefined, "2 lines"],
])("[F2] a call to write %s claims no count that it does not know", (_, created, fact) => {
  const result = { id: "e", content: "", tool_result: { status: "completed" }, details: { created } };
  const row = {
    ...{ kind: "call", key: "call", name: "#1.1.1", turn: "t", asker: {} as Entry },
    call: { id: "c", name: "write", input: { path: "a.txt", content: "one\ntwo\n" } },
    result: created === undefined ? undefined : (result as unknown as Entry),
  } as CallRow;
  const context = { width: 60, now: 0, isToggled: false, live: undefined, changes: undefined, prompt: undefined };
  const [head] = rowLines(row, { ...context, isStruck: false, isTurnRunning: false });
  expect(lineText(head ?? [])).toMatch(new RegExp(` ${fact.replaceAll("+", "\\+")}$`));
});
