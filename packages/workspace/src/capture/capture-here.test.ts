import { mkdirSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { StoreError } from "../database/store-error.ts";
import { temporaryWorkspaces } from "../testing/temporary-workspace.ts";

const temporary = temporaryWorkspaces();

/** Counts the threads that are started during `work`. */
async function threadsStarted(work: () => Promise<unknown>): Promise<number> {
  let started = 0;
  const count = () => {
    started += 1;
  };
  process.on("worker", count);
  try {
    await work();
    // The event comes in the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    return started;
  } finally {
    process.off("worker", count);
  }
}

/** A workspace that another process captured, with a file changed since. */
async function knownWorkspace() {
  const place = temporary();
  place.write("kept.txt", "kept\n");
  place.write("edited.txt", "first\n");
  const earlier = place.open();
  const { id: before } = await earlier.capture();
  await place.close(earlier);
  place.write("edited.txt", "second\n");
  return { place, before };
}

describe("a workspace known to be small", () => {
  test("is captured, compared and named without starting a thread", async () => {
    const { place, before } = await knownWorkspace();
    const workspace = place.open();
    const started = await threadsStarted(async () => {
      const after = await workspace.capture();
      expect(after.changes.map(({ path }) => path)).toEqual(["edited.txt"]);
      expect(await workspace.diff(before, after.id)).toMatchObject([{ path: "edited.txt", status: "modified" }]);
      expect(await workspace.treeId(after.id)).not.toBe(await workspace.treeId(before));
    });
    expect(started).toBe(0);
  });

  test("leaves a complete stat cache for the next process", async () => {
    const { place } = await knownWorkspace();
    const first = place.open();
    const { id } = await first.capture();
    await place.close(first);
    const next = await place.open().capture();
    expect(next).toMatchObject({ id, changes: [], receipt: { foundBy: "full-scan" } });
  });

  test("is captured by a thread after useThread, and the captures continue in one line", async () => {
    const { place, before } = await knownWorkspace();
    const workspace = place.open();
    const here = await workspace.capture();
    const started = await threadsStarted(async () => {
      workspace.useThread();
      place.write("kept.txt", "changed\n");
      const there = await workspace.capture();
      expect([here.parent, there.parent]).toEqual([before, here.id]);
      expect(there.changes.map(({ path }) => path)).toEqual(["kept.txt"]);
    });
    expect(started).toBe(1);
  });

  test("fails in the same way as on a thread", async () => {
    const { place } = await knownWorkspace();
    for (const threaded of [false, true]) {
      const workspace = place.open();
      if (threaded) workspace.useThread();
      await expect(workspace.capture({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "cancelled" });
      const unknown = workspace.treeId("unknown");
      await expect(unknown).rejects.toBeInstanceOf(StoreError);
      await expect(unknown).rejects.toMatchObject({ code: "unknown-capture" });
    }
  });
});

test("a long-lived process captures by a thread, however few files there are", async () => {
  const { place } = await knownWorkspace();
  expect(await threadsStarted(() => place.open({ thread: true }).capture())).toBe(1);
});

test("a thread says why it cannot open the store, and captures when it can", async () => {
  const place = temporary();
  place.write("a", "a");
  const database = join(place.store, "retake.db");
  const workspace = place.open({ thread: true });
  renameSync(database, `${database}-aside`);
  mkdirSync(database);
  const failed = workspace.capture();
  await expect(failed).rejects.toBeInstanceOf(StoreError);
  await expect(failed).rejects.toMatchObject({ code: "unopenable" });
  rmdirSync(database);
  renameSync(`${database}-aside`, database);
  expect((await workspace.capture()).receipt.files).toBe(1);
});

test("a workspace without a capture is captured by a thread", async () => {
  const place = temporary();
  expect(await threadsStarted(() => place.open().capture())).toBe(1);
});

test("a workspace that is opened but not captured starts no thread", async () => {
  const { place, before } = await knownWorkspace();
  const workspace = place.open();
  const started = await threadsStarted(async () => {
    expect([...workspace.files(before).entries()]).toHaveLength(2);
    await place.close(workspace);
  });
  expect(started).toBe(0);
});
