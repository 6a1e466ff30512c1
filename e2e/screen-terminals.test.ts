import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { KEY, removeScreens, ScreenTerminal } from "./screen/screen-terminal.ts";

afterEach(removeScreens);

const WIDE = "write wide.txt: 世界 👩‍👩‍👧 e\u0301 ｆｕｌｌ";

describe("the full screen on every kind of terminal", () => {
  test.each([
    [140, 40],
    [100, 30],
    [60, 20],
    [30, 10],
  ])(
    "[F66] at %i by %i shows a turn, its list and its plan, and no line is wider than the terminal",
    async (columns, rows) => {
      const terminal = new ScreenTerminal({ columns, rows });
      await terminal.shows("› Write a prompt");
      terminal.type(`\u001b[200~${WIDE}\u001b[201~`);
      await terminal.shows("› write wide.txt:");
      terminal.type(KEY.enter);
      await terminal.shows("Wrote wide.txt.");
      await terminal.shows("› Write a prompt");
      expect(readFileSync(join(terminal.work, "wide.txt"), "utf8")).toBe("世界 👩‍👩‍👧 e\u0301 ｆｕｌｌ");
      terminal.type(KEY.escape);
      await terminal.shows("› Tab to write");
      terminal.type(KEY.escape);
      await terminal.shows("1 of 1");
      terminal.type(KEY.enter);
      await terminal.shows("Go back before #1");
      await terminal.shows("preview");
      terminal.resize(columns + 11, rows + 3);
      await terminal.shows("removed   wide.txt");
      terminal.type(KEY.escape);
      await terminal.shows("1 of 1");
      terminal.type(KEY.escape);
      await terminal.shows("› Write a prompt");
      expect(terminal.lines.filter((line) => line.includes("› "))).toHaveLength(1);
    },
  );

  test("with NO_COLOR no colour is written", async () => {
    const terminal = new ScreenTerminal({ environment: { NO_COLOR: "1" } });
    await terminal.shows("› Write a prompt");
    await terminal.send("write a.txt: one");
    await terminal.shows("Wrote a.txt.");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
    expect(terminal.bytes).not.toMatch(/\u001b\[(?:\d+;)*(?:3[0-9]|4[0-9]|9[0-7]|10[0-7])m/);
  });

  test("[F3] what is typed while a question comes up is kept as the draft and answers nothing", async () => {
    const terminal = new ScreenTerminal();
    await terminal.shows("› Write a prompt");
    await terminal.send("/approvals ask");
    await terminal.shows("Mode         ask");
    terminal.type(KEY.escape);
    await terminal.shows("› Write a prompt");
    await terminal.send("write a.txt: one");
    terminal.type("y is the next prompt");
    await terminal.shows("› y is the next prompt");
    await terminal.shows("? write");
    await terminal.shows("Tab goes to this question");
    terminal.type(KEY.tab);
    await terminal.shows("y allow");
    terminal.type("n");
    await terminal.shows("denied");
    await terminal.shows("› y is the next prompt");
  });

  test("[F4] text of others cannot move the cursor or leave the screen", async () => {
    const terminal = new ScreenTerminal();
    await terminal.shows("› Write a prompt");
    terminal.type("\u001b[200~write a.txt: \u001b[2J\u001b[?1049l\u0007evil\u009b31m\u001b[201~");
    await terminal.shows("evil");
    terminal.type(KEY.enter);
    await terminal.shows("+␛[2J␛[?1049l␇evil");
    expect(terminal.buffer).toBe("alternate");
  });

  test.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)("%s gives the terminal back", async (signal) => {
    const terminal = new ScreenTerminal();
    await terminal.shows("› Write a prompt");
    terminal.kill(signal);
    await terminal.ended();
    expect(terminal.buffer).toBe("normal");
    for (const off of ["\u001b[?1049l", "\u001b[?1000l", "\u001b[?1006l", "\u001b[?2004l", "\u001b[<u", "\u001b[?25h"])
      expect(terminal.bytes).toContain(off);
  });

  test("nothing is written while nothing changes", async () => {
    const terminal = new ScreenTerminal();
    await terminal.shows("confined");
    await terminal.shows("● live");
    const before = terminal.bytes;
    // A key that means nothing here: when the next one is answered, it has been drawn.
    terminal.type("\u001b[24~");
    terminal.type("a");
    await terminal.shows("› a");
    const written = terminal.bytes.slice(before.length);
    expect(written.split("\u001b[?2026h")).toHaveLength(2);
  });

  test("--inline keeps plain lines, and so does a terminal that cannot place the cursor", async () => {
    for (const given of [
      { args: ["--inline"] },
      { environment: { TERM: "dumb" } },
      { environment: { RETAKE_SCREEN_READER: "1" } },
    ]) {
      const terminal = new ScreenTerminal(given);
      await terminal.shows(/\n› *$/m);
      expect(terminal.buffer).toBe("normal");
      expect(terminal.bytes).not.toContain("\u001b[?1049h");
      terminal.type(KEY.ctrlD);
      expect(await terminal.ended()).toBe(0);
    }
  });
});
