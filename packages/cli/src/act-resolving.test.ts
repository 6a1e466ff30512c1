import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";
import { CTRL_D, ENTER, removeTerminals, Terminal } from "./testing/terminal.ts";

describe("conflicts on the command line", () => {
  let session: CliSession;
  beforeEach(async () => {
    session = new CliSession();
    session.write("a.txt", "before\n");
    session.write("b.txt", "before\n");
    await session.thread("main", "for f in a b c; do echo turn > $f.txt; done");
    session.write("a.txt", "mine\n");
    session.write("b.txt", "mine\n");
  });
  afterEach(() => session.remove());

  test("[F33] a dry run that conflicts shows what would become of each file", async () => {
    const { status, stdout, stderr } = await session.call("undo", "--dry-run");
    expect(status).toBe(3);
    expect(stdout).toContain("removed  c.txt");
    expect(stdout).toContain("kept     a.txt (overlap)");
    expect(stderr).toContain("--resolve <path>=mine, theirs or merged");
  });

  test("[X1] --resolve decides conflict by conflict, and every file is told with what became of it", async () => {
    const { status, stdout } = await session.call("undo", "--resolve", "a.txt=theirs", "--resolve", "b.txt=merged");
    expect(status).toBe(0);
    expect(stdout).toMatch(/replaced a\.txt \(your version gave way/);
    expect(stdout).toMatch(/markers {2}b\.txt/);
    expect(session.read("a.txt")).toBe("before\n");
    expect(session.read("b.txt")).toContain("<<<<<<<");
  });

  test("[X1] [B7] the conflicts of a take that is deleted are decided in the same way", async () => {
    const one = await session.thread("one", "echo hello", "echo one > a.txt");
    await session.text("branch", "1");
    await session.thread("two", "echo two > a.txt");
    const remove = ["delete", "main_take_1", "--thread", one];
    expect(await session.call(...remove)).toMatchObject({ status: 3 });
    expect(session.read("a.txt")).toBe("two\n");
    expect(await session.text(...remove, "--resolve", "a.txt=theirs")).toMatch(
      /✓ Delete main_take_1\n +replaced a\.txt/,
    );
    expect(session.read("a.txt")).toBe("one\n");
  });

  test("[X1] one conflict that is not decided stops all of it; a wrong word is explained", async () => {
    expect(await session.call("undo", "--resolve", "a.txt=theirs")).toMatchObject({ status: 3 });
    expect(session.read("a.txt")).toBe("mine\n");
    const wrong = await session.call("undo", "--resolve", "a.txt=yours");
    expect(wrong).toMatchObject({ status: 2 });
    expect(wrong.stderr).toContain("like src/a.ts=mine");
  });
});

describe("conflicts at a terminal", () => {
  afterEach(removeTerminals);

  test("[X1] undo shows both sides of each conflict and asks; keys that were pressed before are no answer", async () => {
    const terminal = new Terminal();
    const file = join(terminal.work, "a.txt");
    writeFileSync(file, "before\n");
    await terminal.shows("› ");
    terminal.type(`/run --yes "run echo turn > a.txt"${ENTER}`);
    await terminal.shows("Take it back");
    await terminal.shows("› ");
    writeFileSync(file, "mine\n");
    // The second line is there before the question.
    terminal.type(`/undo${ENTER}t`);
    await terminal.shows("1 of 1  a.txt: you and the agent changed the same lines");
    await terminal.shows("-mine");
    await terminal.shows("+before");
    await terminal.shows("change nothing?");
    expect(readFileSync(file, "utf8")).toBe("mine\n");
    terminal.type("q");
    await terminal.shows("Nothing was changed.");
    await terminal.shows("› ");
    terminal.type(`/undo${ENTER}`);
    await terminal.shows("change nothing?");
    terminal.type("t");
    await terminal.shows("replaced a.txt");
    await terminal.shows("› ");
    expect(readFileSync(file, "utf8")).toBe("before\n");
    terminal.type("\u0003");
    await terminal.shows("› ");
    terminal.type(CTRL_D);
    await terminal.ended();
  });
});
