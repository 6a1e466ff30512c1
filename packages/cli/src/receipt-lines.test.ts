import { afterAll, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";

const session = new CliSession();
afterAll(() => session.remove());

test("[X4] [X8] [U5] run, show and undo say what changed and what cannot be taken back", async () => {
  const prompt = "write a.txt: one\nrun true || git push";
  const run = await session.text("run", "--approve", "all", prompt);
  expect(run).toContain("1 file changed: a.txt\n! cannot be taken back: git push (#1.1.2 bash)\n");
  const shown = await session.json("show", "1");
  expect(shown["receipt"]).toMatchObject({ files_changed: ["a.txt"] });
  expect(shown["receipt"]).toHaveProperty("effects.0", expect.objectContaining({ tool: "bash", what: "git push" }));
  expect(await session.text("show", "1")).toMatch(
    /\+\+\+ b\/a.txt[\s\S]*\+one\n[\s\S]* {2}! cannot be taken back: git push \(#1\.1\.2 bash\)\n/,
  );
  expect(await session.text("undo", "--dry-run")).toContain("  ! cannot be taken back: git push (#1.1.2 bash)\n");
  const undone = await session.text("undo");
  expect(undone).toMatch(/removed {2}a.txt\n {2}! was not taken back: git push \(#1\.1\.2 bash\)\n/);
  const { stdout } = await session.call("run", "--yes", "--json", "hello");
  const last = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  expect(last).toMatchObject({ type: "turn-finished", status: "finished", receipt: { files: 1, effects: [] } });
});

test("[U5] [U6] of very many files a screen's worth is named, and all are counted", async () => {
  const prompt = "run mkdir many; for i in $(seq 101 250); do echo $i > many/$i; done";
  expect(await session.text("run", "--yes", prompt)).toContain("100 or more files changed: many/101,");
  for (const args of [["undo", "--dry-run"], ["undo"]]) {
    const text = await session.text(...args);
    expect(text).toContain("150 files\n");
    expect(text).toContain("  removed  many/120\n  … and 130 more; --json names them all\n");
  }
  expect((await session.json("redo"))["files_reverted"]).toHaveLength(150);
});

test("[X8] a count of files is exact unless its own list was cut", async () => {
  const leftOut = "run for i in $(seq 150); do mkdir -p p$i/node_modules && echo 1 > p$i/node_modules/x; done";
  expect(await session.text("run", "--new", "--yes", leftOut)).toContain("in no capture: 100 or more files: p1/");
  expect(await session.text("run", "--yes", "write few.txt: 1")).toContain("\n1 file changed: few.txt\n");
  const ignored = "run echo 'out/' > .gitignore; mkdir out; for i in $(seq 150); do echo 1 > out/$i; done";
  expect(await session.text("run", "--yes", ignored)).toContain(
    "100 or more files changed (100 or more files ignored by git): .gitignore,",
  );
});

test("[U2] [U8] an undo that went through a branch comes back with one redo", async () => {
  await session.text("run", "--new", "--yes", "write first.txt: 1");
  await session.text("run", "--yes", "write second.txt: 2");
  await session.text("branch", "1.0");
  const takes = await session.text("takes");
  expect(await session.text("undo", "2", "--step")).toContain("Take this back: retake redo\n");
  await session.text("redo");
  expect(await session.text("takes")).toBe(takes);
});
