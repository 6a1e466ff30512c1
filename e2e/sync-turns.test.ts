import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectEqual, SyncPlaces, syncAll } from "./sync/sync-places.ts";
import type { RetakePlace } from "./testing/retake-place.ts";

const sync = new SyncPlaces();
beforeAll(() => sync.start());
afterAll(() => sync.close());

/** The entries of each take of a thread. */
async function takesOf(place: RetakePlace, thread: string, root: string): Promise<string[][]> {
  const { takes } = (await place.call(["takes", "--thread", thread], root)).answer;
  const all: string[][] = [];
  for (const { id } of takes as { id: string }[]) {
    const { entries } = (await place.call(["log", "--thread", thread, "--take", id], root)).answer;
    all.push((entries as { content: string }[]).map(({ content }) => content));
  }
  return all;
}

test("[L6] [L7] [L9] a turn that another machine runs is not joined: stop ends it here, and what both did stays", async () => {
  const one = await sync.join();
  const { root } = one;
  const thread = String((await one.call(["run", "write a.txt: one", "--new"])).answer["thread_id"]);
  const two = await sync.join();
  await syncAll([one, two]);
  const command = "run touch started; while [ ! -e go ]; do sleep 0.05; done; echo late > late.txt";
  const running = one.spawnBeside(["run", command, "--thread", thread, "--approve", "all"]);
  while (!existsSync(join(root, "started"))) await sleep(20);
  expect(await one.spawnBeside(["sync", "now"])).toMatchObject({ status: 0 });
  expect(await two.call(["sync", "now"])).toMatchObject({ status: 0 });

  const heads = async () =>
    (await two.call(["history", "--all", "--thread", thread], root)).answer["operations"].length;
  const before = await heads();
  const refused = await two.call(["run", "hello", "--thread", thread], root);
  expect(refused.status).not.toBe(0);
  expect(refused.stdout + refused.stderr).toContain("Another machine has begun a turn in this take");
  expect(await heads()).toBe(before);
  expect(await two.call(["branch", "1", "--thread", thread, "--dry-run"], root)).toMatchObject({ status: 0 });
  expect(await two.call(["stop", "--thread", thread], root)).toMatchObject({
    status: 0,
    answer: { turns: [{ thread_id: thread, elsewhere: true, status: "interrupted" }] },
  });
  expect((await two.call(["stop", "--thread", thread], root)).answer).toMatchObject({ turns: [] });
  // The directory has what the running command did so far, which the take does not know of.
  expect(await two.call(["sync", "files", thread, "--keep"], root)).toMatchObject({ status: 0 });
  expect(await two.call(["run", "say hello", "--thread", thread], root)).toMatchObject({ status: 0 });

  writeFileSync(join(root, "go"), "");
  expect(await running).toMatchObject({ status: 0 });
  await syncAll([one, two]);
  await expectEqual([one, two]);
  const takes = await takesOf(one, thread, root);
  expect(takes).toHaveLength(2);
  expect(takes.flat()).toContain("say hello");
  expect(existsSync(join(root, "late.txt"))).toBe(true);

  // The merge is nobody's step: an undo on either machine takes the other's take away from nobody.
  for (const place of [one, two]) {
    expect(await place.call(["undo", "--step", "--thread", thread], root)).toMatchObject({ status: 0 });
    expect(await takesOf(place, thread, root)).toHaveLength(2);
  }
});
