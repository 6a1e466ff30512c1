/** SIGKILL does not show what was flushed; the order of the system calls does. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { straceWorks, traceChanges } from "../testing/strace.ts";
import { CrashSandbox } from "./testing/crash-sandbox.ts";

const works = straceWorks();
if (!works) console.warn("SKIPPED: the order of flushes needs strace, which is not here and could not be installed.");

describe.skipIf(!works)("a restore", () => {
  let sandbox: CrashSandbox;
  beforeAll(() => {
    sandbox = new CrashSandbox();
  });
  afterAll(() => sandbox.dispose());

  test("[X9] touches no file before its plan is flushed, and is done only when every file is", async () => {
    const calls = await traceChanges(sandbox.command("restore"), "/retake-scenario-begins", { withPaths: true });
    const texts = calls.map(({ text }) => text);
    const isLog = (text: string) => text.includes("store.sqlite-wal");
    const flushes = texts.map((text) => text.startsWith("fsync(") || text.startsWith("fdatasync("));
    const firstRename = texts.findIndex((text) => text.startsWith("rename("));
    const lastRename = texts.findLastIndex((text) => text.startsWith("rename("));
    const logWrite = texts.findIndex(isLog);
    expect(logWrite).toBeGreaterThan(0);
    // The commit: the log is written and flushed, then the first file moves.
    expect(texts.slice(logWrite, firstRename).some((text, index) => isLog(text) && flushes[logWrite + index])).toBe(
      true,
    );

    // After the last rename: the log says that all is in place, and the stage is removed.
    const inPlace = texts.findIndex((text, index) => index > lastRename && isLog(text) && !flushes[index]);
    expect(texts.findIndex((text) => text.startsWith("unlink("))).toBeGreaterThan(inPlace);
    const removed = texts.findLastIndex((text) => text.startsWith("rmdir("));
    expect(removed).toBeGreaterThan(inPlace);
    // Then every restored file and directory is flushed, and the log says that it is done.
    const done = texts.findIndex((text, index) => index > removed && isLog(text) && !flushes[index]);
    const flushed = texts
      .slice(lastRename, done)
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
