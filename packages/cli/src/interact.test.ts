import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { CTRL_C, CTRL_D, CTRL_Y, CTRL_Z, ENTER, removeTerminals, Terminal, UP } from "./testing/terminal.ts";

afterEach(removeTerminals);

describe("the prompt in a terminal", () => {
  test("[U3] asks for approval, takes back and gives the prompt back, and names where it stands", async () => {
    const terminal = new Terminal();
    await terminal.shows("› ");
    terminal.type(`/approvals ask${ENTER}`);
    await terminal.shows("Mode         ask");
    await terminal.shows("› ");
    terminal.type(`write a.txt: one${ENTER}`);
    await terminal.shows("Run it? [y]es, [n]o, [a]lways:");
    terminal.type(`y${ENTER}`);
    await terminal.shows("Wrote `a.txt`.");
    await terminal.shows("write a.txt: one › ");
    expect(readFileSync(join(terminal.work, "a.txt"), "utf8")).toBe("one");
    terminal.type(`/undo${ENTER}`);
    await terminal.shows("Undo: Turn: write a.txt: one");
    await terminal.shows("› write a.txt: one");
    terminal.type(CTRL_C);
    await terminal.shows("› ");
    terminal.type(CTRL_Y);
    await terminal.shows("Redo: Turn: write a.txt: one");
    await terminal.shows("› ");
    expect(readFileSync(join(terminal.work, "a.txt"), "utf8")).toBe("one");
    terminal.type(CTRL_Z);
    await terminal.shows("Undo: Turn");
    await terminal.shows("› write a.txt: one");
    terminal.type(CTRL_C);
    await terminal.shows("› ");
    terminal.type(CTRL_D);
    expect(await terminal.ended()).toBe(0);
  });

  test("[AG20] a question that is not answered is a no; Ctrl+C at it ends the turn", async () => {
    const terminal = new Terminal();
    await terminal.shows("› ");
    terminal.type(`/approvals ask${ENTER}`);
    await terminal.shows("Mode         ask");
    await terminal.shows("› ");
    for (const [key, outcome] of [
      [CTRL_D, "denied Denied by the user."],
      [CTRL_C, "The turn did not finish: interrupted"],
    ] as const) {
      terminal.type(`write a.txt: one${ENTER}`);
      await terminal.shows("Run it? [y]es, [n]o, [a]lways:");
      terminal.type(key);
      await terminal.shows(outcome);
      await terminal.shows("› ");
    }
    expect(existsSync(join(terminal.work, "a.txt"))).toBe(false);
    terminal.type(CTRL_D);
    expect(await terminal.ended()).toBe(0);
  });

  test("completes commands and what they name, and keeps a paste of many lines together", async () => {
    const terminal = new Terminal();
    await terminal.shows("› ");
    terminal.type("\u001b[200~first line\nrun echo never\u001b[201~");
    await terminal.shows("first line␤run echo never");
    terminal.type(CTRL_C);
    await terminal.shows("› ");
    terminal.type("/hist\t");
    await terminal.shows("/history ");
    terminal.type("--al\t");
    await terminal.shows("--all ");
    terminal.type(ENTER);
    await terminal.shows("There is no thread in this workspace yet");
    await terminal.shows("› ");
    terminal.type(CTRL_C);
    await terminal.shows("Once more Ctrl+C");
    await terminal.shows("› ");
    terminal.type(CTRL_C);
    expect(await terminal.ended()).toBe(0);
  });

  test("remembers what was typed in a file of its owner's, but not what was said in private", async () => {
    const first = new Terminal();
    await first.shows("› ");
    first.type(`/threads --limit 3${ENTER}`);
    await first.shows("No thread");
    await first.shows("› ");
    first.type(`/run --private hello there${ENTER}`);
    await first.shows("I am the model");
    await first.shows("hello there › ");
    first.type(`a secret${ENTER}`);
    await first.shows("I am the model");
    await first.shows("› ");
    first.type(`/quit${ENTER}`);
    expect(await first.ended()).toBe(0);
    const file = join(first.home, "state", "prompts.jsonl");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toBe('"/threads --limit 3"\n');
    const second = new Terminal(join(first.home, ".."));
    await second.shows("› ");
    second.type(UP);
    await second.shows("/threads --limit 3");
    second.type(CTRL_C);
    await second.shows("› ");
    second.type(CTRL_D);
    expect(await second.ended()).toBe(0);
  });

  test("[AG51] Ctrl+C ends a turn, and the prompt is there again", async () => {
    const terminal = new Terminal();
    await terminal.shows("› ");
    terminal.type(`/run --approve all "run echo begun; sleep 600"${ENTER}`);
    await terminal.shows("\r\n  begun");
    terminal.type(CTRL_C);
    await terminal.shows("The turn did not finish: interrupted");
    await terminal.shows("› ");
    terminal.type(CTRL_D);
    expect(await terminal.ended()).toBe(0);
  });

  test("[F29] Ctrl+Z and Ctrl+Y go on through the history while the draft is as the undo left it", async () => {
    const terminal = new Terminal();
    await terminal.shows("› ");
    for (const name of ["a", "b"]) {
      terminal.type(`write ${name}.txt: ${name}${ENTER}`);
      await terminal.shows(`Wrote \`${name}.txt\`.`);
      await terminal.shows("› ");
    }
    const there = (name: string) => existsSync(join(terminal.work, `${name}.txt`));
    for (const [key, said, left] of [
      [CTRL_Z, "Undo: Turn: write b.txt", "› write b.txt: b"],
      [CTRL_Z, "Undo: Turn: write a.txt", "› write a.txt: a"],
      [CTRL_Y, "Redo: Turn: write a.txt", "› write b.txt: b"],
      [CTRL_Y, "Redo: Turn: write b.txt", "› "],
    ] as const) {
      terminal.type(key);
      await terminal.shows(said);
      await terminal.shows(left);
    }
    expect([there("a"), there("b")]).toEqual([true, true]);
    terminal.type(CTRL_D);
    expect(await terminal.ended()).toBe(0);
  });

  test("[F29] a failed command puts no old draft into the line, and a draft that was put aside does not come back", async () => {
    const terminal = new Terminal();
    await terminal.shows("› ");
    terminal.type(`write a.txt: a${ENTER}`);
    await terminal.shows("Wrote `a.txt`.");
    await terminal.shows("› ");
    terminal.type(CTRL_Z);
    await terminal.shows("› write a.txt: a");
    terminal.type(CTRL_C);
    await terminal.shows("› ");
    terminal.type(`/undo --bogus${ENTER}`);
    await terminal.shows("There is no option");
    await terminal.shows("› ");
    // Typed into an empty line: with the draft before it this would be a prompt.
    terminal.type(`/threads --limit 3${ENTER}`);
    await terminal.shows("/switch <thread>");
    await terminal.shows("› ");
    terminal.type(`/quit${ENTER}`);
    expect(await terminal.ended()).toBe(0);
    const second = new Terminal(join(terminal.home, ".."));
    await second.shows("› ");
    second.type(`/settings draft${ENTER}`);
    await second.shows("› ");
    second.type(CTRL_D);
    expect(await second.ended()).toBe(0);
    expect(second.screen).not.toContain("› write a.txt");
  });
});
