import { execFileSync } from "node:child_process";
import { recordOf } from "@retake/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TemporaryRetake } from "../testing/temporary-retake.ts";

let session: TemporaryRetake;
beforeEach(() => {
  session = new TemporaryRetake();
});
afterEach(() => session.remove());

function git(...args: string[]): string {
  const named = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...named, ...args], { cwd: session.root, encoding: "utf8" }).trim();
}

function commit(message: string): string {
  git("add", "-A");
  git("commit", "-qm", message);
  return git("rev-parse", "HEAD");
}

function noted(thread: string) {
  return session.workspace.store.read(thread, ({ state }) => recordOf(state, "git"));
}

describe("what is noted of git in a turn", () => {
  test("[L10] branch and commit at the start and now, whether there are changes, and every commit seen", async () => {
    session.write("a.txt", "one\n");
    git("init", "-q");
    const first = commit("first");
    const thread = await session.workspace.newThread("git");

    await session.turn(thread, "write b.txt: b");
    const clean = { branch: "main", commit: first, remote: null, dirty: false };
    expect(noted(thread)).toEqual({ start: clean, now: { ...clean, dirty: true }, commits: [first] });

    git("checkout", "-qb", "other");
    const second = commit("second");
    await session.turn(thread, "hello");
    expect(noted(thread)).toMatchObject({ now: { branch: "other", commit: second }, commits: [first, second] });
    session.write("d.txt", "d\n");
    commit("between the turns, where nobody looks");
    git("reset", "-q", "--hard", second);
    const identity = "-c user.name=Test -c user.email=test@example.org";
    await session.turn(thread, `run echo c > c.txt; git add -A; git ${identity} commit -qm third`);
    const third = git("rev-parse", "HEAD");
    expect(noted(thread)).toEqual({
      start: clean,
      now: { ...clean, branch: "other", commit: third },
      commits: [first, second, third],
    });
  });

  test("[L10] records a commit that a later command of the turn leaves", async () => {
    session.write("a.txt", "one\n");
    git("init", "-q");
    const first = commit("first");
    const thread = await session.workspace.newThread("git");
    const identity = "-c user.name=Test -c user.email=test@example.org";
    await session.turn(
      thread,
      `run git ${identity} commit -q --allow-empty -m second; git rev-parse HEAD > ../second\nrun git reset -q --hard ${first}`,
    );
    const second = execFileSync("cat", ["../second"], { cwd: session.root, encoding: "utf8" }).trim();
    expect(noted(thread)).toMatchObject({ now: { commit: first }, commits: [first, second] });
  });

  test("[L10] records nothing without git, and the turn runs normally", async () => {
    const thread = await session.workspace.newThread("no git");
    await session.turn(thread, "write b.txt: b");
    expect(noted(thread)).toBeUndefined();
  });
});
