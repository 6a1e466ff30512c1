import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { KEY, removeScreens, ScreenTerminal } from "./screen/screen-terminal.ts";

afterEach(removeScreens);

describe("the full screen", () => {
  test("asks, shows what it did, takes back, and gives the terminal back", async () => {
    const terminal = new ScreenTerminal();
    await terminal.shows("everything can be taken back");
    expect(terminal.buffer).toBe("alternate");
    await terminal.send("/approvals ask");
    await terminal.shows("Mode         ask");
    terminal.type(KEY.escape);
    await terminal.shows("› Write a prompt");
    await terminal.send("write a.txt: one");
    await terminal.shows("y allow");
    expect(terminal.text).toContain("+one");
    expect(existsSync(join(terminal.work, "a.txt"))).toBe(false);
    terminal.type("y");
    await terminal.shows("+1 -0 · 1 file");
    expect(readFileSync(join(terminal.work, "a.txt"), "utf8")).toBe("one");
    terminal.type(KEY.ctrlZ);
    // The prompt is the draft again.
    await terminal.shows("› write a.txt: one");
    await terminal.shows("brings it back");
    expect(existsSync(join(terminal.work, "a.txt"))).toBe(false);
    terminal.type(KEY.ctrlY);
    await terminal.shows("+1 -0 · 1 file");
    expect(readFileSync(join(terminal.work, "a.txt"), "utf8")).toBe("one");
    await terminal.shows("› Write a prompt");
    terminal.type(KEY.ctrlD);
    expect(await terminal.ended()).toBe(0);
    expect(terminal.buffer).toBe("normal");
    expect(terminal.text).toContain("To go on: retake");
  });
});
