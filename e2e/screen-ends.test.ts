import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { KEY, removeScreens, ScreenTerminal } from "./screen/screen-terminal.ts";

afterEach(removeScreens);

/** The sequences that switch off everything that the screen switches on. */
const SWITCHED_OFF = ["?1049l", "?1000l", "?1002l", "?1006l", "?2004l", "<u", "?25h"].map((each) => `\u001b[${each}`);

// A line for a shell ends with \n: a terminal that was left raw makes no line end of Enter.

/** A shell on the terminal, which starts Retake and writes the number of its process into a file. */
const inShell = (environment: Readonly<Record<string, string>> = {}) =>
  new ScreenTerminal({ shell: true, environment });

async function startIn(terminal: ScreenTerminal): Promise<number> {
  await terminal.shows("shell>");
  terminal.type(`sh -c 'echo $$ > ../pid; exec "$RETAKE_NODE" "$RETAKE_MAIN"'\n`);
  await terminal.shows("› Write a prompt");
  await terminal.shows("● live");
  return Number(readFileSync(join(terminal.folder, "pid"), "utf8"));
}

/** The modes of the shell's terminal: `icanon` and `echo`, or these with a minus. */
async function modes(terminal: ScreenTerminal): Promise<string> {
  const before = terminal.bytes.length;
  terminal.type("stty -a; echo 'modes ar''e said'\n");
  await terminal.until(() => terminal.bytes.slice(before).includes("modes are said"), "the modes");
  return (terminal.bytes.slice(before).match(/-?\b(?:icanon|echo)\b(?=[ ;])/g) ?? []).join(" ");
}

describe("every way out of the full screen", () => {
  test.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)("%s gives the terminal back", async (signal) => {
    const terminal = new ScreenTerminal();
    await terminal.shows("› Write a prompt");
    terminal.kill(signal);
    expect(await terminal.ended()).toBe({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal]);
    expect(terminal.buffer).toBe("normal");
    for (const off of SWITCHED_OFF) expect(terminal.bytes).toContain(off);
  });

  test.each([
    ["Ctrl+D", KEY.ctrlD],
    ["Ctrl+C twice", `${KEY.ctrlC}${KEY.ctrlC}`],
    ["/quit", `/quit${KEY.enter}`],
  ])("%s gives a shell its terminal back as it was", async (_, keys) => {
    const terminal = inShell();
    await startIn(terminal);
    for (const key of keys) terminal.type(key);
    await terminal.until(() => terminal.buffer === "normal", "the shell's screen");
    expect(await modes(terminal)).toContain("icanon");
    expect(await modes(terminal)).not.toMatch(/-icanon|-echo\b/);
    for (const off of SWITCHED_OFF) expect(terminal.bytes).toContain(off);
  });

  test("[X9] after kill -9 the next start mends the terminal, and leaves it as a shell needs it", async () => {
    const terminal = inShell();
    process.kill(await startIn(terminal), "SIGKILL");
    await terminal.shows("shell>");
    expect(terminal.buffer).toBe("alternate");
    await startIn(terminal);
    expect(terminal.lines.filter((line) => line.includes("›"))).toHaveLength(1);
    terminal.type(KEY.ctrlD);
    await terminal.until(() => terminal.buffer === "normal", "the shell's screen");
    expect(await modes(terminal)).not.toMatch(/-icanon|-echo\b/);
    expect(existsSync(join(terminal.home, "state", "terminals"))).toBe(true);
  });

  test("[S9] the words that were typed right before a signal are in the field of the next start", async () => {
    const first = new ScreenTerminal();
    await first.send("write a.txt: one");
    await first.shows("+1 -0 · 1 file");
    await first.shows("› Write a prompt");
    first.type("half a thought");
    await first.shows("› half a thought");
    first.kill("SIGHUP");
    expect(await first.ended()).toBe(129);
    const next = new ScreenTerminal({ folder: first.folder });
    await next.shows("› half a thought");
  });

  test("Ctrl+X Z stops it, fg brings it back with its draft", async () => {
    const terminal = inShell();
    await startIn(terminal);
    terminal.type("half a thought");
    await terminal.shows("› half a thought");
    terminal.type(KEY.ctrlX);
    await terminal.shows("z suspend");
    terminal.type("z");
    await terminal.until(() => terminal.buffer === "normal", "the shell's screen");
    expect(await modes(terminal)).not.toMatch(/-icanon|-echo\b/);
    terminal.type("fg\n");
    await terminal.until(() => terminal.buffer === "alternate", "the screen again");
    await terminal.shows("› half a thought");
    terminal.type("!");
    await terminal.shows("› half a thought!");
  });

  test("tui.ctrl_z = suspend makes Ctrl+Z suspend", async () => {
    const terminal = inShell();
    terminal.configure('[tui]\nctrl_z = "suspend"\n');
    await startIn(terminal);
    terminal.type(KEY.ctrlZ);
    await terminal.until(() => terminal.buffer === "normal", "the shell's screen");
    terminal.type("fg\n");
    await terminal.shows("› Write a prompt");
  });

  test("where no shell waits the screen says so and stays", async () => {
    const terminal = new ScreenTerminal();
    await terminal.shows("● live");
    terminal.type(KEY.ctrlX);
    await terminal.shows("z suspend");
    terminal.type("z");
    await terminal.shows("No shell waits below this screen.");
    await terminal.send("write a.txt: one");
    await terminal.shows("Wrote a.txt.");
  });
});
