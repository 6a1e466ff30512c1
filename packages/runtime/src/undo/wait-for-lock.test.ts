import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockWorkspace } from "@retake/workspace";
import { afterEach, describe, expect, test } from "vitest";
import { waitForLock } from "./wait-for-lock.ts";

const folder = mkdtempSync(join(tmpdir(), "retake-wait-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a workspace in use", () => {
  test("waits for the workspace lock and takes it when it is released", async () => {
    const held = lockWorkspace(folder, folder);
    let told = 0;
    const lock = await waitForLock(folder, folder, {
      onWait: () => {
        told += 1;
        held?.release();
      },
    });
    expect([lock?.held, told]).toEqual([true, 1]);

    const interrupt = new AbortController();
    const signal = interrupt.signal;
    expect(await waitForLock(folder, folder, { signal, onWait: () => interrupt.abort() })).toBeUndefined();
    lock?.release();
    expect((await waitForLock(folder, folder, { signal }))?.held).toBe(true);
  });
});
