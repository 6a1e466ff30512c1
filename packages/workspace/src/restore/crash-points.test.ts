/**
 * Kills a restore at its system calls, one after the other, and makes others fail. Without RETAKE_LONG a few dozen of
 * them, spread evenly; with it every call that changes something.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { amount } from "../../../../testing/budget.ts";
import { type Call, spread, straceWorks } from "../testing/strace.ts";
import { CrashSandbox } from "./testing/crash-sandbox.ts";

const works = straceWorks();
if (!works) console.warn("SKIPPED: the crash tests need strace, which is not here and could not be installed.");

/** The errors of each call for a full disk, missing permissions or broken hardware. */
const errors: Record<string, readonly string[]> = {
  openat: ["ENOSPC", "EACCES", "EIO"],
  write: ["ENOSPC", "EIO"],
  pwrite64: ["ENOSPC", "EIO"],
  ftruncate: ["EIO"],
  fsync: ["EIO", "ENOSPC"],
  fdatasync: ["EIO", "ENOSPC"],
  rename: ["EACCES", "ENOSPC", "EIO"],
  unlink: ["EACCES", "EIO"],
  mkdir: ["ENOSPC", "EACCES", "EIO"],
  rmdir: ["EACCES", "EIO"],
  symlink: ["ENOSPC", "EACCES", "EIO"],
  fchmod: ["EACCES", "EIO"],
};

describe.skipIf(!works)("a restore of 20 files", () => {
  // Two at a time: each has its own sandbox.
  let sandboxes: CrashSandbox[];
  beforeAll(() => {
    sandboxes = [new CrashSandbox(), new CrashSandbox()];
  });
  afterAll(() => {
    for (const sandbox of sandboxes) sandbox.dispose();
  });

  async function eachPoint<T>(points: readonly T[], check: (sandbox: CrashSandbox, point: T) => Promise<void>) {
    const queue = points.values();
    await Promise.all(
      sandboxes.map(async (sandbox) => {
        for (const point of queue) {
          sandbox.reset();
          await check(sandbox, point);
        }
      }),
    );
  }

  function callsOf(task: "restore" | "recover"): Promise<Call[]> {
    const [sandbox] = sandboxes as [CrashSandbox];
    return sandbox.points(task);
  }

  async function killAt(task: "restore" | "recover", points: readonly Call[]) {
    const outcomes = { killed: 0, "not-begun": 0, ended: 0 };
    await eachPoint(points, async (sandbox, call) => {
      const { killed } = await sandbox.run(task, call);
      if (killed) outcomes.killed += 1;
      outcomes[await describeFailure(call.text, () => sandbox.checkRecovery())] += 1;
    });
    console.log(
      `killed ${outcomes.killed} of ${points.length}: ${outcomes["not-begun"]} before, ${outcomes.ended} after`,
    );
    return outcomes;
  }

  test("[X9] killed at any system call, is at the state before or after once recovered", async () => {
    const calls = await callsOf("restore");
    expect(calls.length).toBeGreaterThan(100);
    const points = spread(calls, amount("points", 30, Number.POSITIVE_INFINITY));
    const outcomes = await killAt("restore", points);
    expect(outcomes.killed).toBeGreaterThan(points.length * 0.9);
    expect(outcomes["not-begun"]).toBeGreaterThan(0);
    expect(outcomes.ended).toBeGreaterThan(0);
  });

  test("[X9] with failing calls, reports it, and is at the state before or after once recovered", async () => {
    const calls = await callsOf("restore");
    const points = calls.flatMap((call) => (errors[call.name] ?? []).map((error) => ({ call, error })));
    await eachPoint(
      spread(points, amount("points", 30, Number.POSITIVE_INFINITY)),
      async (sandbox, { call, error }) => {
        const { output, aborted } = await sandbox.run("restore", call, error);
        await describeFailure(`${error} at ${call.text}`, async () => {
          if (!aborted)
            expect(output).toMatch(
              /^ended (well|with (not-started|no-space|no-permission|unfinished|disk-full|disk-failure|ERR_SQLITE_ERROR))/m,
            );
          if (/not-started|no-space|no-permission/.test(output)) expect(sandbox.untouched).toBe(true);
          await sandbox.checkRecovery();
        });
      },
    );
  });

  test("[X9] killed, and killed again during the recovery, is at the state after once recovered", async () => {
    const renames = (await callsOf("restore")).filter(({ name }) => name === "rename");
    for (const sandbox of sandboxes) {
      sandbox.reset();
      const { killed, ended, output } = await sandbox.run("restore", renames[renames.length >> 1] as Call);
      expect(killed, `ended with ${ended}: ${output}`).toBe(true);
      sandbox.save();
    }
    const calls = await callsOf("recover");
    expect(calls.length).toBeGreaterThan(20);
    const points = spread(calls, amount("points", 16, Number.POSITIVE_INFINITY));
    const outcomes = await killAt("recover", points);
    expect(outcomes).toMatchObject({ "not-begun": 0, ended: points.length });

    const failures = calls.flatMap((call) => (errors[call.name] ?? []).map((error) => ({ call, error })));
    await eachPoint(
      spread(failures, amount("points", 12, Number.POSITIVE_INFINITY)),
      async (sandbox, { call, error }) => {
        await sandbox.run("recover", call, error);
        const outcome = await describeFailure(`${error} at ${call.text}`, () => sandbox.checkRecovery());
        expect(outcome).toBe("ended");
      },
    );
  });
});

async function describeFailure<T>(where: string, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof Error) error.message = `at ${where}: ${error.message}`;
    throw error;
  }
}
