import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { ProviderServer } from "../packages/runtime/src/model/testing/provider-server.ts";
import { KEY, removeScreens, ScreenTerminal } from "./screen/screen-terminal.ts";

afterEach(removeScreens);

const SIZES = [
  [140, 40],
  [100, 30],
  [60, 20],
  [30, 10],
] as const;

/** Every place, the line that opens it, and a word that it shows at any size. */
const PLACES = [
  ["/turns", "2 of 2"],
  ["/review", "b.txt"],
  ["/history", /1 of \d+/],
  ["/takes", "main"],
  ["/settings", "Base prompt"],
  ["/context", "No "],
  ["/threads", "1 of 1"],
  ["/search one", /1 of \d+/],
  ["/help", "Everywhere"],
  ["/status", "/status"],
] as const;

describe("every place of the screen", () => {
  test.each(SIZES)(
    "[F66] at %i by %i opens, is drawn anew when the terminal gets another size in the middle of it, and is left with Esc",
    async (columns, rows) => {
      const terminal = new ScreenTerminal({ columns, rows });
      await terminal.shows("› Write a prompt");
      for (const prompt of ["write a.txt: one 世界", "write b.txt: two 👩‍👩‍👧"]) {
        await terminal.send(prompt);
        await terminal.shows(`Wrote ${prompt.slice(6, 11)}.`);
        await terminal.shows("› Write a prompt");
      }
      for (const [command, word] of PLACES) {
        await terminal.shows("› Write a prompt");
        await terminal.send(command);
        await terminal.hides(`› ${command}`);
        await terminal.shows(word);
        await redrawn(terminal, columns - 3, rows - 1);
        await terminal.shows(word);
        await redrawn(terminal, columns, rows);
        await terminal.shows(word);
        terminal.type(KEY.escape);
      }
      await terminal.shows("› Write a prompt");
      expect(terminal.lines.filter((line) => line.includes("› "))).toHaveLength(1);
    },
  );

  test("a list of commands, of files and of earlier prompts follows the size of the terminal, too", async () => {
    const terminal = new ScreenTerminal({ columns: 60, rows: 20 });
    writeFileSync(join(terminal.work, "some-file.txt"), "");
    await terminal.shows("● live");
    await terminal.send("write a.txt: one");
    await terminal.shows("Wrote a.txt.");
    for (const [keys, word] of [
      [KEY.ctrlP, "/undo"],
      ["@", "some-file.txt"],
      [KEY.ctrlR, "search of your prompts"],
    ] as const) {
      await terminal.shows("› Write a prompt");
      terminal.type(keys);
      await terminal.shows(keys === KEY.ctrlP ? "of " : word);
      await redrawn(terminal, 40, 14);
      await terminal.shows("─".repeat(40));
      await redrawn(terminal, 60, 20);
      await terminal.shows("─".repeat(60));
      terminal.type(KEY.escape);
      await terminal.hides("Esc leave");
      terminal.type(KEY.ctrlU);
    }
    await terminal.shows("› Write a prompt");
  });
});

/** Gives the terminal another size, and waits until the whole screen was drawn for it. */
async function redrawn(terminal: ScreenTerminal, columns: number, rows: number): Promise<void> {
  const before = terminal.bytes.length;
  terminal.resize(columns, rows);
  await terminal.until(() => terminal.bytes.indexOf("\u001b[2J", before) >= 0, `a frame of ${columns} by ${rows}`);
}

describe("what is outside of the screen", () => {
  test("a model that is overloaded is asked again with a countdown, and Esc Esc stops the waiting", async () => {
    let [overloaded, asked] = [2, 0];
    const server = await ProviderServer.start(() => {
      asked += 1;
      if (asked > overloaded) return { blocks: [{ type: "text", text: "At last." }] };
      return { fault: { kind: "status", status: asked % 2 === 1 ? 529 : 500, headers: { "retry-after": "2" } } };
    });
    try {
      const environment = { ...server.environment, RETAKE_MODEL: "anthropic/claude-sonnet-4-5" };
      const terminal = new ScreenTerminal({ environment, config: "[agent]\ntitles = false\n" });
      await terminal.shows("● live");
      await terminal.send("hello");
      await terminal.shows(/Attempt 2 of \d in [123] s, Esc Esc stops\. \w/);
      await terminal.shows(/Attempt 3 of \d in [123] s, Esc Esc stops\. \w/);
      await terminal.shows("At last.");
      await terminal.shows("› Write a prompt");
      expect(terminal.text).not.toContain("Attempt");
      overloaded = Number.POSITIVE_INFINITY;
      await terminal.send("again");
      await terminal.shows("Attempt 2 of");
      terminal.type(KEY.escape);
      await terminal.shows("Esc again stops the turn.");
      terminal.type(KEY.escape);
      await terminal.shows("interrupted");
      await terminal.hides("Attempt");
      const before = asked;
      await terminal.send("/undo");
      await terminal.shows("Ctrl+Y brings it back");
      expect(asked).toBe(before);
    } finally {
      await server.close();
    }
  });

  test("the editor and the pager get the terminal and give it back; a private thread stays one", async () => {
    const terminal = new ScreenTerminal({ shell: true, environment: { PAGER: "./pager", EDITOR: "./editor" } });
    const program = (name: string, text: string) => {
      writeFileSync(join(terminal.work, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(terminal.work, name), 0o755);
    };
    program("editor", 'printf "write edited.txt: from the editor" > "$1"');
    program("pager", 'cat > paged; echo "PAGER at work"; read -r line < /dev/tty');
    await terminal.shows("shell>");
    terminal.type(
      '"$RETAKE_NODE" "$RETAKE_MAIN" run --private --yes "write secret.txt: one" >/dev/null && "$RETAKE_NODE" "$RETAKE_MAIN"\r',
    );
    await terminal.shows("(private)");
    await terminal.shows("● live");
    terminal.type(KEY.ctrlX);
    await terminal.shows("e editor");
    terminal.type("e");
    await terminal.shows("› write edited.txt: from the editor");
    terminal.type(KEY.enter);
    await terminal.shows("Wrote edited.txt.");
    await terminal.shows("› Write a prompt");
    terminal.type("\u000f");
    await terminal.shows("PAGER at work");
    expect(terminal.buffer).toBe("normal");
    terminal.type("\r");
    await terminal.shows("Wrote edited.txt.");
    await terminal.shows("› Write a prompt");
    expect(terminal.buffer).toBe("alternate");
    await terminal.send("/threads");
    await terminal.shows("1 of 1");
    terminal.type(KEY.enter);
    await terminal.shows("(private)");
    await terminal.shows("Wrote edited.txt.");
  });

  test("a problem of a command that has the terminal to itself is said on the screen", async () => {
    const terminal = new ScreenTerminal({ environment: { EDITOR: "false" } });
    await terminal.shows("● live");
    await terminal.send("write a.txt: one");
    await terminal.shows("Wrote a.txt.");
    for (const [command, said] of [
      ["/edit 99", 'There is no entry "99"'],
      ["/edit 1.0", "The editor 'false' ended with 1. Nothing was changed."],
    ] as const) {
      await terminal.shows("› Write a prompt");
      await terminal.send(command);
      await terminal.shows(said);
      expect(terminal.buffer).toBe("alternate");
    }
  });

  test("an entry that the editor leaves as it was is not edited, also where it ends with a newline", async () => {
    const script = { turns: [{ steps: [{ text: "An answer.\n" }] }] };
    const terminal = new ScreenTerminal({ environment: { EDITOR: "true" }, script });
    await terminal.shows("● live");
    await terminal.send("hello");
    await terminal.shows("An answer.");
    await terminal.shows("› Write a prompt");
    terminal.type(KEY.escape);
    await terminal.shows("Tab to write");
    terminal.type("e");
    await terminal.shows("Nothing to change: it is like that already.");
  });

  test("less stays open also where one page has room for the conversation", async () => {
    const pager = 'echo "less with $LESS"; read -r line < /dev/tty';
    const terminal = new ScreenTerminal({ environment: { LESS: "FRX", PAGER: `sh -c '${pager}'` } });
    await terminal.shows("● live");
    await terminal.send("write a.txt: one");
    await terminal.shows("Wrote a.txt.");
    terminal.type("\u000f");
    // -+ takes an option of before away: F would end at once, X would leave the page on the screen.
    await terminal.shows("less with FRX -+F -+X");
    terminal.type("\r");
    await terminal.shows("› Write a prompt");
  });

  test("a shell command that cannot be started has ended, and its place can be left", async () => {
    const terminal = new ScreenTerminal();
    await terminal.shows("● live");
    rmSync(terminal.work, { recursive: true });
    await terminal.send("!ls");
    await terminal.shows("ended with 1");
    await terminal.shows("ENOENT");
    terminal.type(KEY.escape);
    await terminal.shows("› Write a prompt");
  });

  test("[AG47] a budget that is used up is a question: yes goes on and is kept, no ends the turn", async () => {
    const server = await ProviderServer.start(({ number }) => ({
      blocks: [{ type: "text", text: `Answer ${number}.` }],
    }));
    try {
      const model = "anthropic/claude-sonnet-4-5";
      const config = `[agent]\ntitles = false\nbudget = 0.01\n[prices."${model}"]\ninput = 100\noutput = 100\n`;
      const terminal = new ScreenTerminal({ environment: { ...server.environment, RETAKE_MODEL: model }, config });
      await terminal.shows("● live");
      await terminal.send("one");
      await terminal.shows("Answer 1.");
      await terminal.shows("› Write a prompt");
      await terminal.send("two");
      await terminal.shows("The budget is used up");
      await terminal.shows("y go on  n stop");
      terminal.type("y");
      await terminal.shows("Answer 2.");
      await terminal.shows("› Write a prompt");
      await terminal.send("three");
      await terminal.shows("The budget is used up");
      await terminal.shows("y go on  n stop");
      terminal.type("n");
      await terminal.shows("failed");
      expect(server.asked).toHaveLength(2);
    } finally {
      await server.close();
    }
  });
});
