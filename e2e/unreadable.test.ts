import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { straceWorks } from "../packages/workspace/src/testing/strace.ts";
import { MAIN } from "../testing/main.ts";
import { RetakePlace } from "./testing/retake-place.ts";

const works = straceWorks();
if (!works) console.warn("SKIPPED: a disk that fails for a moment needs strace, which is not here or may not trace.");

describe.skipIf(!works)("a directory that cannot be read for a moment", () => {
  let place: RetakePlace;
  beforeEach(() => {
    place = new RetakePlace();
  });
  afterEach(() => place.remove());

  /** A command whose first attempt to list a directory fails. */
  function withoutListing(directory: string, args: readonly string[]) {
    const path = join(place.root, directory);
    const fails = ["-f", "-o", "/dev/null", "-P", path, "-e", "trace=openat", "-e", "inject=openat:error=EIO:when=1"];
    const { stdout, stderr } = spawnSync("strace", [...fails, process.execPath, MAIN, ...args, "--json"], {
      cwd: place.root,
      encoding: "utf8",
      env: place.environment,
    });
    const last = stdout.trimEnd().split("\n").at(-1) ?? "";
    if (last === "") throw new Error(stderr);
    return JSON.parse(last) as Record<string, unknown>;
  }

  test("[P4] [X4] is named where a restore left it alone, and is captured and restored as soon as it can be", async () => {
    await place.call(["run", "run mkdir src && echo one > src/a.txt", "--approve", "all"]);
    const { id } = (await place.call(["snapshot", "early"])).answer;
    await place.call(["run", "run echo two > src/a.txt", "--approve", "all"]);
    // Its list of names is another now, so it is read again.
    writeFileSync(join(place.root, "src/mine.txt"), "mine\n");
    expect(withoutListing("src", ["restore", id])).toMatchObject({
      op_id: null,
      snapshot_restored: null,
      files_reverted: [],
      files_kept: expect.arrayContaining([{ path: "src/a.txt", reason: "uncovered" }]),
      message: expect.stringContaining("left as it is"),
    });
    expect(readFileSync(join(place.root, "src/a.txt"), "utf8")).toBe("two\n");
    expect((await place.call(["snapshot", "later"])).answer["receipt"]).toMatchObject({ files: 2, uncovered: [] });
    const restored = (await place.call(["restore", id, "--path", "src/a.txt"])).answer;
    expect(restored).toMatchObject({ files_reverted: ["src/a.txt"], files_kept: [] });
    expect(readFileSync(join(place.root, "src/a.txt"), "utf8")).toBe("one\n");
  });
});
