/** SIGKILL does not show what was flushed; the order of the system calls does. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { straceWorks } from "../testing/strace.ts";
import { CrashSandbox } from "./testing/crash-sandbox.ts";

const works = straceWorks();
if (!works) console.warn("SKIPPED: the order of flushes needs strace, which is not here and could not be installed.");

describe.skipIf(!works)("a restore", () => {
  let sandbox: CrashSandbox;
  beforeAll(() => {
    sandbox = new CrashSandbox();
  });
  afterAll(() => sandbox.dispose());

  test("[X9] changes no file before its plan is flushed, and is done only after every file is flushed", async () => {
    const calls = await sandbox.trace("restore", true);
    const texts = calls.map(({ text }) => text);
    const isLog = (text: string) => text.includes("store.sqlite-wal");
    const flushes = texts.map((text) => text.startsWith("fsync(") || text.startsWith("fdatasync("));
    const renames = texts.flatMap((text, index) => (text.startsWith("rename(") ? [index] : []));
    const moved = renames.pop() ?? -1;
    const [firstRename = -1] = renames;
    const lastRename = renames.at(-1) ?? -1;
    const logWrite = texts.findIndex(isLog);
    expect(logWrite).toBeGreaterThan(0);
    // The commit: the log is written and flushed, then the first file moves.
    expect(texts.slice(logWrite, firstRename).some((text, index) => isLog(text) && flushes[logWrite + index])).toBe(
      true,
    );

    // After the last file is in place the log says so, then the stage is moved out.
    const inPlace = texts.findIndex((text, index) => index > lastRename && isLog(text) && !flushes[index]);
    expect(texts[moved]).toMatch(/retake-stage.*leftovers/);
    expect(moved).toBeGreaterThan(inPlace);
    // Then every restored file and directory is flushed, the log says that it is done, and the stage is removed.
    const done = texts.findIndex((text, index) => index > moved && isLog(text) && !flushes[index]);
    expect(texts.findIndex((text) => text.startsWith("unlink("))).toBeGreaterThan(done);
    expect(texts.findLastIndex((text) => text.startsWith("rmdir("))).toBeGreaterThan(done);
    const flushed = texts
      .slice(moved, done)
      .filter((text) => /^f(data)?sync\(/.test(text))
      .join("\n");
    for (let index = 0; index < 7; index += 1) expect(flushed).toContain(`src/modified-${index}.txt`);
    for (let index = 0; index < 4; index += 1) expect(flushed).toContain(`gone/deep/deleted-${index}.txt`);
    for (let index = 0; index < 3; index += 1) expect(flushed).toContain(`old/renamed-${index}.txt`);
    for (const directory of [
      "workspace>",
      "workspace/src>",
      "workspace/gone>",
      "workspace/gone/deep>",
      "workspace/old>",
    ]) {
      expect(flushed).toContain(directory);
    }
  });
});
