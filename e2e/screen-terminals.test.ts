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

  test("on a terminal of sixteen colours only those are used", async () => {
    const terminal = new ScreenTerminal({ environment: { TERM: "linux" } });
    await terminal.shows("› Write a prompt");
    await terminal.send("write a.txt: one");
    await terminal.shows("Wrote a.txt.");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
    const styles = [...terminal.bytes.matchAll(/\u001b\[([\d;]*)m/g)].flatMap(([, codes = ""]) => codes.split(";"));
    expect(styles).toContain("36");
    expect(styles.filter((code) => !/^(?:|[0-9]|3[0-7]|9[0-7])$/.test(code))).toEqual([]);
  });

  test("[F66] where the locale is not UTF-8 nothing but ASCII is written, and lines keep their width", async () => {
    const terminal = new ScreenTerminal({ environment: { LC_ALL: "de_DE.ISO-8859-1" } });
    await terminal.shows("> Write a prompt");
    // M\u00fcller as such a terminal sends it.
    terminal.type(Buffer.from("write a.txt: M\u00fcller", "latin1"));
    await terminal.shows("> write a.txt: M?ller");
    terminal.type(KEY.enter);
    await terminal.shows("Wrote a.txt.");
    expect(readFileSync(join(terminal.work, "a.txt"), "utf8")).toBe("Müller");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal may be sent
    expect(terminal.bytes).toMatch(/^[\u0000-\u007f]*$/);
  });

  test("a paste of several lines is text: nothing is sent, and no key of it is a command", async () => {
    const terminal = new ScreenTerminal();
    await terminal.shows("● live");
    terminal.type("\u001b[200~write a.txt: one\r\n/quit\r\u001b[201~");
    await terminal.shows("/quit");
    expect(terminal.text).toContain("› write a.txt: one");
    terminal.type(KEY.ctrlU);
    terminal.type(" twice");
    await terminal.shows("twice");
    expect(terminal.exit).toBeUndefined();
  });

  test("[F66] a character that arrives in two parts is one character", async () => {
    const terminal = new ScreenTerminal();
    await terminal.shows("● live");
    const [first, second] = [Buffer.from("世").subarray(0, 2), Buffer.from("世").subarray(2)];
    terminal.type(first);
    terminal.type(second);
    terminal.type("界");
    await terminal.shows("› 世界");
  });

  test("the terminal can be resized while an answer streams in", async () => {
    const script = { turns: [{ steps: [{ text: "word ".repeat(200) }] }] };
    const terminal = new ScreenTerminal({ columns: 100, rows: 30, script });
    await terminal.shows("● live");
    await terminal.send("go");
    for (const [columns, rows] of [
      [60, 20],
      [30, 10],
      [140, 40],
    ] as const) {
      terminal.resize(columns, rows);
      await terminal.until(() => terminal.lines.some((line) => line === "─".repeat(columns)), `a frame of ${columns}`);
    }
    await terminal.until(() => terminal.text.match(/\bword\b/g)?.length === 200, "the whole answer");
    await terminal.shows("› Write a prompt");
    expect(terminal.lines.filter((line) => line.includes("›"))).toHaveLength(1);
  });

  test("the wheel scrolls, a click goes to a row, and a drag is copied by y", async () => {
    const script = { turns: [{ steps: [{ text: Array.from({ length: 60 }, (_, at) => `line ${at}`).join("\n") }] }] };
    const terminal = new ScreenTerminal({ script });
    await terminal.shows("● live");
    expect(terminal.bytes).toContain("\u001b[?1006h");
    await terminal.send("go");
    await terminal.shows("line 59");
    await terminal.shows("› Write a prompt");
    // One turn of the wheel is one frame, so no other one comes after what is waited for.
    terminal.type("\u001b[<64;10;10M");
    await terminal.hides("line 59");
    await terminal.shows("more below");
    const row = terminal.lines.findIndex((line) => line.includes("line 40")) + 1;
    terminal.type(`\u001b[<0;10;${row}M\u001b[<0;10;${row}m`);
    await terminal.shows("j k row");
    terminal.type(`\u001b[<0;10;${row}M\u001b[<32;10;${row + 1}M\u001b[<0;10;${row + 1}m`);
    await terminal.shows("copy the selection");
    terminal.type("y");
    await terminal.shows("Copied.");
    // The clipboard's bytes may come after the frame that says so.
    await expect.poll(() => terminal.bytes.includes("\u001b]52;c;")).toBe(true);
    const [copied = ""] = terminal.bytes.split("\u001b]52;c;").at(-1)?.split("\u0007") ?? [];
    expect(Buffer.from(copied, "base64").toString()).toMatch(/line 40\n.*line 41/);
  });

  test("tui.mouse = false leaves the mouse to the terminal, and the wheel is no key", async () => {
    const terminal = new ScreenTerminal({ config: "[tui]\nmouse = false\n" });
    await terminal.shows("mouse off");
    expect(terminal.bytes).not.toMatch(/\?100[0236]h/);
    expect(terminal.bytes).toContain("\u001b[?1007l");
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
      { config: '[tui]\nscreen = "inline"\n' },
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
