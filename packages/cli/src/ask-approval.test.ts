/** Approvals of the built command at a real terminal. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { CTRL_C, CTRL_D, ENTER, removeTerminals, Terminal } from "./testing/terminal.ts";

afterEach(removeTerminals);

const ASK = "Run it? [y]es, [n]o, [a]lways:";

async function prompt(terminal: Terminal): Promise<void> {
  await terminal.shows("› ");
}

/** A prompt where everything that may change something is asked about. */
async function asking(terminal = new Terminal()): Promise<Terminal> {
  await prompt(terminal);
  terminal.type(`/approvals ask${ENTER}`);
  await terminal.shows("Mode         ask");
  await prompt(terminal);
  return terminal;
}

async function leave(terminal: Terminal): Promise<void> {
  terminal.type(CTRL_D);
  expect(await terminal.ended()).toBe(0);
}

const has = (terminal: Terminal, name: string) => existsSync(join(terminal.work, name));

describe("approvals at a terminal", () => {
  test("[F1] of several calls each is asked about alone; one key answers one question, and a paste none", async () => {
    const terminal = await asking();
    terminal.type(`\u001b[200~write a.txt: one\nrun touch b\nwrite c.txt: c\u001b[201~${ENTER}`);
    await terminal.shows("1 of 3: write");
    await terminal.shows(ASK);
    // Two keys at once, then a paste of answers: neither is one key.
    terminal.type("yy");
    await terminal.shows("a single key answers");
    await terminal.shows(ASK);
    terminal.type("\u001b[200~y\ny\ny\n\u001b[201~");
    terminal.type("y");
    await terminal.shows("2 of 3: bash");
    await terminal.shows(ASK);
    expect([has(terminal, "b"), has(terminal, "c.txt")]).toEqual([false, false]);
    terminal.type("n");
    await terminal.shows("3 of 3: write");
    await terminal.shows(ASK);
    terminal.type("y");
    await terminal.shows("Kept as the draft of your next prompt: yyy");
    await prompt(terminal);
    expect(["a.txt", "b", "c.txt"].map((name) => has(terminal, name))).toEqual([true, false, true]);
    terminal.type(CTRL_C);
    await prompt(terminal);
    await leave(terminal);
  });

  test("[F1] a key that is held down answers the question on the screen and no other", async () => {
    const terminal = await asking();
    terminal.type(`\u001b[200~write a.txt: one\nwrite b.txt: two\u001b[201~${ENTER}`);
    await terminal.shows("1 of 2: write");
    await terminal.shows(ASK);
    for (let press = 0; press < 20; press += 1) {
      terminal.type("y");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await terminal.shows("2 of 2: write");
    // A press that is still on its way is read with the answer, which is no single key then: the question is shown again.
    while ((await terminal.shows(ASK, "Kept as the draft of your next prompt: yyy")) === ASK) terminal.type("n");
    await prompt(terminal);
    expect([has(terminal, "a.txt"), has(terminal, "b.txt")]).toEqual([true, false]);
    terminal.type(CTRL_C);
    await prompt(terminal);
    await leave(terminal);
  });

  test("[F3] what was typed while the agent worked is the draft of the next prompt, and no answer", async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-ahead-")));
    const script = join(folder, "script.json");
    const bash = (command: string) => ({ tool_calls: [{ name: "bash", input: { command } }] });
    writeFileSync(
      script,
      JSON.stringify({ turns: [{ steps: [bash("sh wait.sh"), bash("git push"), { text: "Over." }] }] }),
    );
    const terminal = new Terminal(folder, { RETAKE_SCRIPT: script });
    writeFileSync(join(terminal.work, "wait.sh"), "echo begun; while [ ! -e go ]; do sleep 0.05; done\n");
    await prompt(terminal);
    terminal.type(`/approvals add allow bash "sh wait.sh"${ENTER}`);
    await terminal.shows("Rule 1");
    await prompt(terminal);
    terminal.type(`begin${ENTER}`);
    await terminal.shows("\r\n  begun");
    terminal.type(`y${ENTER}now the next thing`);
    writeFileSync(join(terminal.work, "go"), "");
    await terminal.shows("cannot be undone: git push");
    await terminal.shows(ASK);
    terminal.type("n");
    await terminal.shows("denied Denied by the user.");
    await terminal.shows("Kept as the draft of your next prompt: y");
    await prompt(terminal);
    await terminal.shows("y␤now the next thing");
    terminal.type(CTRL_C);
    await prompt(terminal);
    await leave(terminal);
  });

  test("[F2] the whole command is shown in a narrow terminal, with its directory and what cannot be undone", async () => {
    const terminal = new Terminal();
    await prompt(terminal);
    terminal.resize(40, 12);
    const command = `echo "${"a".repeat(300)}"; git push; echo ${"b".repeat(300)} end-of-it`;
    terminal.type(`run ${command}${ENTER}`);
    await terminal.shows("Run it?");
    const question = terminal.screen.slice(terminal.screen.lastIndexOf("? bash")).replaceAll(/\r?\n?/g, "");
    expect(question).toContain(command);
    expect(question.replaceAll(/\s+/g, "")).toContain(`in${terminal.work}`.replaceAll(/\s+/g, ""));
    expect(question).toMatch(/!\s+cannot be undone: git push/);
    // Another width while it is asked changes neither the question nor who may answer it.
    terminal.resize(200, 50);
    terminal.type("n");
    await terminal.shows("denied Denied by the user.");
    await prompt(terminal);
    await leave(terminal);
  });

  test("[F2] a write or an edit is shown as what goes and what comes, and what an undo takes back is said so", async () => {
    const terminal = await asking();
    writeFileSync(join(terminal.work, "a.txt"), "kept\nold line\n");
    terminal.type(`write a.txt: other${ENTER}`);
    await terminal.shows("-old line");
    await terminal.shows("+other");
    await terminal.shows("an undo takes it back");
    await terminal.shows(ASK);
    terminal.type("n");
    await prompt(terminal);
    expect(readFileSync(join(terminal.work, "a.txt"), "utf8")).toBe("kept\nold line\n");
    await leave(terminal);
  });

  test("[F1] `always` answers what its rule allows and nothing else", async () => {
    const terminal = await asking();
    terminal.type(`\u001b[200~write a.txt: one\nwrite b.txt: two\u001b[201~${ENTER}`);
    await terminal.shows("1 of 2: write");
    await terminal.shows("always adds the rule: allow write in a.txt");
    await terminal.shows(ASK);
    terminal.type("a");
    await terminal.shows("2 of 2: write");
    await terminal.shows(ASK);
    terminal.type("n");
    await prompt(terminal);
    expect([has(terminal, "a.txt"), has(terminal, "b.txt")]).toEqual([true, false]);
    terminal.type(`/approvals${ENTER}`);
    await terminal.shows("Rule 1       allow write in a.txt");
    await prompt(terminal);
    await leave(terminal);
  });

  test("[F1] Ctrl+C at one of several questions ends the turn, and none of the calls runs", async () => {
    const terminal = await asking();
    terminal.type(`\u001b[200~write a.txt: one\nwrite b.txt: two\u001b[201~${ENTER}`);
    await terminal.shows("1 of 2: write");
    await terminal.shows(ASK);
    terminal.type(CTRL_C);
    await terminal.shows("The turn did not finish: interrupted");
    await prompt(terminal);
    expect([has(terminal, "a.txt"), has(terminal, "b.txt")]).toEqual([false, false]);
    await leave(terminal);
  });
});
