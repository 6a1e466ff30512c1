/** Messages and remains of commands in a broken world: real processes, real disks. */
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CliSession, type Ran } from "./testing/cli-session.ts";

let session: CliSession;
beforeEach(() => {
  session = new CliSession();
});
afterEach(() => session.remove());

const data = () => join(session.home, "data");
const file = () => join(data(), "retake.db");

/** Everything in the data directory and the workspace, byte for byte; not what SQLite keeps while it is open. */
function bytes(): Map<string, string> {
  const all = new Map<string, string>();
  const look = (directory: string) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) look(path);
      else if (!/-(wal|shm)$/.test(path)) all.set(path, readFileSync(path, "latin1"));
    }
  };
  look(data());
  look(session.root);
  return all;
}

function settle(sql = ""): void {
  const database = new DatabaseSync(file());
  database.exec(`${sql}; PRAGMA wal_checkpoint(TRUNCATE)`);
  database.close();
}

/** Commands that read and commands that write all say the same and leave everything as it was. */
async function expectRefused(message: RegExp, code: string, ...commands: string[][]): Promise<void> {
  const before = bytes();
  for (const command of commands) {
    const { status, stdout, stderr } = await session.call(...command);
    expect([status, stdout, stderr]).toEqual([1, "", expect.stringMatching(message)]);
    expect(stderr).not.toMatch(/database is locked|SQLITE|at .*\.ts:/);
    expect(await session.json(...command)).toEqual({ error: { code, message: expect.stringMatching(message) } });
  }
  expect(bytes()).toEqual(before);
}

const COMMANDS = [["threads"], ["undo"], ["run", "--yes", "write b.txt: b"]];

describe("[S3] [L4] the store", () => {
  test("from a newer version is refused, with what to do, and left untouched", async () => {
    await session.thread("one", "echo 1 > a");
    settle("PRAGMA user_version = 999");
    await expectRefused(
      /newer Retake \(schema 999; this one knows \d+\)\. It was left untouched\. Use the newer/,
      "newer-schema",
      ...COMMANDS,
    );
  });

  test("that is no database, or is damaged, is refused and never written over", async () => {
    await session.thread("one", "echo 1 > a");
    settle();
    copyFileSync(file(), join(session.home, "good"));
    writeFileSync(file(), "not a database, but somebody's notes\n".repeat(500));
    await expectRefused(/is not a store of Retake's, or it is damaged\. It was left as it is/, "damaged", ...COMMANDS);
    const good = readFileSync(join(session.home, "good"));
    good.fill(0xa5, 4096);
    writeFileSync(file(), good);
    await expectRefused(/is damaged\. It was left as it is\..*retake doctor/, "damaged", ...COMMANDS);
  });

  test("that is busy for too long is said to be busy, and nothing is half done", async () => {
    await session.thread("one", "echo 1 > a");
    const other = new DatabaseSync(file());
    other.exec("BEGIN IMMEDIATE");
    const { status, stderr } = await session.call("rename", "one", "two");
    other.exec("ROLLBACK");
    other.close();
    expect([status, stderr]).toEqual([1, expect.stringContaining("Another process has been writing to the store")]);
    expect((await session.json("threads")).threads).toMatchObject([{ title: "one" }]);
  });

  test("that cannot be made where a file is in the way is refused", async () => {
    mkdirSync(session.home);
    writeFileSync(data(), "a file\n");
    const { status, stderr } = await session.call("threads");
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/cannot be opened\. .*Nothing was changed\. RETAKE_HOME/),
    ]);
    expect(readFileSync(data(), "utf8")).toBe("a file\n");
  });
});

describe("[L4] a disk", () => {
  /** The store on a file system of its own, which the test fills or locks. */
  async function onItsOwn(size: string, work: (remount: (options: string) => void) => Promise<void>): Promise<boolean> {
    mkdirSync(session.home, { recursive: true });
    const mount = (...options: string[]) =>
      spawnSync("mount", ["-t", "tmpfs", "-o", options.join(), "tmpfs", session.home]);
    if (mount(`size=${size}`, "mode=700").status !== 0) return false;
    try {
      await work((options) => {
        const done = spawnSync("mount", ["-o", `remount,${options}`, session.home]);
        if (done.status !== 0) throw new Error(String(done.stderr));
      });
      return true;
    } finally {
      spawnSync("umount", [session.home]);
    }
  }

  const said = ({ status, stderr }: Ran) => [status, stderr];

  test("that cannot be written is refused in words, and nothing changes", async (context) => {
    const ran = await onItsOwn("64m", async (remount) => {
      await session.text("run", "--yes", "write a.txt: a");
      remount("ro");
      const before = bytes();
      for (const command of COMMANDS)
        expect(said(await session.call(...command))).toEqual([
          1,
          expect.stringMatching(/disk (that )?cannot be written.*RETAKE_HOME/),
        ]);
      expect(bytes()).toEqual(before);
      remount("rw");
      expect(await session.json("undo")).toMatchObject({ files_reverted: ["a.txt"] });
    });
    if (!ran) return context.skip("mounting a file system needs rights that are not here");
  });

  test("[F40] that is full is said to be full; what was saved is whole, and work goes on once there is space", async (context) => {
    const ran = await onItsOwn("8m", async () => {
      await session.text("run", "--yes", "write a.txt: a");
      const before = [await session.json("history", "--all"), await session.json("entries")];
      const filler = join(session.home, "filler");
      expect(() => {
        for (;;) appendFileSync(filler, Buffer.alloc(4096));
      }).toThrow("ENOSPC");
      writeFileSync(join(session.root, "big.txt"), "x".repeat(100_000));
      for (const command of [["undo"], ["rename", "write a.txt: a", "other"], ["run", "--yes", "write b.txt: b"]]) {
        const { status, stderr } = await session.call(...command);
        expect([command, status, stderr]).toEqual([
          command,
          1,
          expect.stringMatching(/disk.* is full|no space|No space/),
        ]);
      }
      expect(session.read("b.txt")).toBe(undefined);
      expect(session.read("a.txt")).toBe("a");
      // Everything can still be read.
      expect([await session.json("history", "--all"), await session.json("entries")]).toEqual(before);
      expect(await session.json("status")).toMatchObject({ can_undo: true, thread: { title: "write a.txt: a" } });
      expect(await session.json("doctor")).toEqual({ healthy: true, problems: [] });
      rmSync(filler);
      expect([await session.json("history", "--all"), await session.json("entries")]).toEqual(before);
      expect(await session.json("undo")).toMatchObject({ files_reverted: ["a.txt"] });
      expect(await session.json("doctor")).toMatchObject({ healthy: true });
    });
    if (!ran) return context.skip("mounting a file system needs rights that are not here");
  });

  test("[F40] a turn that fills the disk says that it was broken off, and never that nothing was changed", async (context) => {
    const ran = await onItsOwn("4m", async () => {
      const fill = `run echo done > made.txt; head -c 9m /dev/zero > '${join(session.home, "filler")}'`;
      const { status, stdout, stderr } = await session.call("run", "--approve", "all", fill);
      expect(status).toBe(1);
      expect(stdout + stderr).toMatch(/The turn was broken off: .*full.* Its changes until then are kept/);
      expect(stdout + stderr).not.toContain("Nothing was changed");
      expect(session.read("made.txt")).toBe("done\n");
      rmSync(join(session.home, "filler"));
      expect(await session.json("undo")).toMatchObject({ files_reverted: ["made.txt"] });
    });
    if (!ran) return context.skip("mounting a file system needs rights that are not here");
  });
});

test("[L4] a directory that the user may not write in is refused in words", () => {
  mkdirSync(session.home, { mode: 0o755 });
  chmodSync(session.home, 0o555);
  const call = { call: "mkdirSync", nth: 1, error: "EACCES" };
  const { status, stderr } = process.getuid?.() === 0 ? session.runBroken(call, "threads") : session.run("threads");
  chmodSync(session.home, 0o755);
  expect([status, stderr]).toEqual([1, expect.stringMatching(/may not (read or )?write there/)]);
});
