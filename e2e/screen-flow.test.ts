import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { RecordedHour } from "./screen/recorded-hour.ts";
import { KEY, removeScreens, ScreenTerminal } from "./screen/screen-terminal.ts";

afterEach(removeScreens);

/** The first hour of a new user, guided only by the screen. */
test("[F28] [F29] three turns, one allowed, one denied, the second taken back alone, a branch, a comparison, a conflict, and the next day", async () => {
  const hour = new RecordedHour();
  const first = new ScreenTerminal({ columns: 100, rows: 30 });
  const file = (name: string) => join(first.work, name);
  await first.shows("everything can be taken back");
  await hour.shows(first, "A new workspace");
  await first.send("/approvals ask");
  await first.shows("Mode         ask");
  first.type(KEY.escape);
  await first.shows("› Write a prompt");

  // Three turns: the first is allowed, the second too, the third is denied.
  for (const [name, answer] of [
    ["one", "y"],
    ["two", "y"],
    ["three", "n"],
  ] as const) {
    await first.send(`write ${name}.txt: ${name}`);
    await first.shows("y allow");
    await first.shows(`+${name}`);
    if (name === "one")
      await hour.shows(first, "After `/approvals ask`, a question: `y` allows, `a` always, `n` denies");
    first.type(answer);
    await first.shows(answer === "y" ? `Wrote ${name}.txt.` : "denied");
    await first.shows("› Write a prompt");
  }
  expect(existsSync(file("three.txt"))).toBe(false);
  await hour.shows(first, "Three turns: two were allowed, the third was denied");

  // Esc Esc: the list of turns; the second is taken back alone, after its plan was seen.
  first.type(KEY.escape);
  await first.shows("J K turn");
  first.type(KEY.escape);
  await first.shows("Take back: choose a turn");
  await first.shows("3 of 3");
  first.type("k");
  await first.shows("2 of 3");
  await first.shows("added two.txt");
  await hour.shows(first, "`Esc` `Esc`: the turns, and what each changed");
  first.type("x");
  await first.shows("Take back only #2");
  await first.shows("removed   two.txt");
  await hour.shows(first, "`x` on the second turn: what would happen, before it does");
  expect(existsSync(file("two.txt"))).toBe(true);
  first.type(KEY.enter);
  await first.shows("Ctrl+Z takes it back");
  expect(existsSync(file("two.txt"))).toBe(false);
  expect(existsSync(file("one.txt"))).toBe(true);
  await first.shows("2 of 2");

  // A branch after the first turn.
  first.type("k");
  await first.shows("1 of 2");
  first.type("b");
  await first.shows("main_take_1●");
  await first.send("write one.txt: another");
  await first.shows("y allow");
  first.type("y");
  await first.shows("#4 write one.txt: another");
  await first.until(() => readFileSync(file("one.txt"), "utf8") === "another", "the file of the branch");
  await first.shows("› Write a prompt");
  await hour.shows(first, "`b` on the first turn made a take, which goes on by itself");

  // The two takes side by side.
  await first.send("/takes");
  await first.shows("1 of 2");
  await first.shows("in common");
  first.type("c");
  await first.shows("Conversation");
  await first.shows("Only in main_take_1");
  first.type(KEY.down);
  await first.shows("+one");
  await hour.shows(first, "`/takes`, then `c`: two takes compared, file by file");
  first.type(KEY.escape);
  await first.hides("Conversation");
  first.type(KEY.escape);
  await first.shows("› Write a prompt");

  // The user changes the same line: a conflict, decided on the screen.
  writeFileSync(file("one.txt"), "mine");
  await first.send("/undo");
  await first.shows("nothing has changed yet");
  await first.shows("0 of 1 decided");
  await hour.shows(first, "`/undo` where you changed the same line: you decide, and nothing has changed yet");
  first.type("1");
  await first.shows("→ keep mine");
  first.type(KEY.enter);
  await first.shows("Ctrl+Y brings it back");
  expect(readFileSync(file("one.txt"), "utf8")).toBe("mine");
  await first.shows("› write one.txt: another");

  // Leaves; the draft stays with the thread.
  first.type(KEY.ctrlX);
  await first.shows("z suspend");
  first.type("m");
  await first.shows("mouse off");
  first.kill("SIGTERM");
  expect(await first.ended()).toBe(143);
  expect(first.buffer).toBe("normal");

  // Tomorrow: the take, its conversation and the draft are there.
  const next = new ScreenTerminal({ columns: 100, rows: 30, folder: first.folder });
  await next.shows("main_take_1●");
  await next.shows("Wrote one.txt.");
  await next.shows("› write one.txt: another");
  await hour.shows(next, "The next day: the take, the conversation and the draft are there");
  expect(hour.end()).toBe(0);
  next.type(KEY.ctrlC);
  await next.shows("› Write a prompt");
  next.type(KEY.ctrlC);
  await next.shows("again leaves");
  next.type(KEY.ctrlC);
  expect(await next.ended()).toBe(0);
});
