import type { JsonObject } from "@retake/core";
import type { TurnEvent } from "@retake/runtime";
import { expect, test } from "vitest";
import { Output } from "./output.ts";
import { TestWorld } from "./testing/test-world.ts";
import { TurnPrinter } from "./turn-printer.ts";

/** The output of these events for a person. */
function printed(...events: readonly TurnEvent[]): string {
  return printedOn(undefined, ...events);
}

/** The same at a terminal of that width. */
function printedOn(columns: number | undefined, ...events: readonly TurnEvent[]): string {
  const world = new TestWorld({ directory: "/", environment: { NO_COLOR: "1" }, columns });
  const printer = new TurnPrinter(new Output(false, world));
  for (const event of events) printer.print(event);
  return world.stdout;
}

const call = { entry: "t.1.1", call_id: "c1" };
const ended = (status: string, content: string): TurnEvent => ({
  type: "tool-ended",
  ...call,
  name: "bash",
  status,
  content,
});

test("[F30] a failed command is shown with what it said last, and why it ended", () => {
  const content = `${Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join("\n")}\n(Exit code 1.)`;
  const lines = printed(ended("failed", content)).trimEnd().split("\n");
  expect(lines).toHaveLength(12);
  expect(lines[0]).toBe("  failed line 20");
  expect(lines.at(-1)).toBe("  (Exit code 1.)");
});

test("[F30] output that was shown as it came is not shown again, the reason of the end is", () => {
  const output: TurnEvent = { type: "tool-output", ...call, at: 0, text: "first\nTAIL\n" };
  expect(printed(output, ended("completed", "first\nTAIL"))).toBe("  first\n  TAIL\n");
  expect(printed(output, ended("failed", "first\nTAIL\n(Ended after 500 ms.)"))).toBe(
    "  first\n  TAIL\n  failed (Ended after 500 ms.)\n",
  );
});

test("[F62] the end of a call is shown below its name, also if it never started or if another call began since", () => {
  const started = (entry: string, path: string): TurnEvent => {
    return { type: "tool-started", entry, call_id: entry, name: "read", input: { path }, notices: [] };
  };
  const failed = (entry: string): TurnEvent => {
    return { type: "tool-ended", entry, call_id: entry, name: "read", status: "failed", content: "Not there." };
  };
  const denied: TurnEvent = {
    ...{ type: "tool-ended", entry: "c", call_id: "c", name: "bash", input: { command: "git push" } },
    ...{ status: "denied", content: "Denied by the user." },
  };
  expect(printed(started("a", "one"), started("b", "two"), failed("b"), failed("a"), denied)).toBe(
    [
      "● read one",
      "● read two",
      "  failed Not there.",
      "● read one",
      "  failed Not there.",
      "● bash git push",
      "  denied Denied by the user.",
      "",
    ].join("\n"),
  );
});

test("a call is shown with its input, and a command without the others of its inputs", () => {
  const started = (name: string, input: JsonObject): TurnEvent => {
    return { type: "tool-started", ...call, name, input, notices: [] };
  };
  expect(printed(started("write", { path: "a.txt", content: "one\ntwo" }))).toBe("● write a.txt one two\n");
  expect(printed(started("bash", { command: "echo hi;\n sleep 9", timeout_ms: 5 }))).toBe("● bash echo hi; sleep 9\n");
  const behind = started("bash", { command: "echo hi; sleep 9; echo ho", background: true });
  expect(printed(behind)).toBe("● bash echo hi; sleep 9; echo ho (in the background)\n");
  expect(printedOn(50, behind)).toBe("● bash echo hi; sleep 9;… (in the background)\n");
});

test("[AG48] a turn that ends after its calls without a word says so", () => {
  const started: TurnEvent = { type: "tool-started", ...call, name: "bash", input: { command: "true" }, notices: [] };
  const text: TurnEvent = { type: "text", entry: "t.1", at: 0, text: "I look." };
  const finished = (status: "finished" | "failed"): TurnEvent => {
    return { type: "turn-finished", thread_id: "T", turn_id: "t", status, usage: {} };
  };
  const silent = [text, started, ended("completed", "")];
  expect(printed(...silent, finished("finished"))).toContain("The model ended without a word.");
  expect(printed(...silent, finished("failed"))).not.toContain("without a word");
  expect(printed(...silent, text, finished("finished"))).not.toContain("without a word");
});
