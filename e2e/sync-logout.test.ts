import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RewritingProxy } from "./sync/rewriting-proxy.ts";
import { expectEqual, SyncPlaces, syncAll } from "./sync/sync-places.ts";

const sync = new SyncPlaces();
let direct = "";
const proxy = new RewritingProxy(() => direct);
beforeAll(async () => {
  await sync.start();
  direct = sync.url;
  sync.url = await proxy.start();
});
afterAll(async () => {
  await proxy.close();
  await sync.close();
});

test("[L6] [X16] a logout while another process syncs leaves nothing of the old vault, and the next one gets everything", async () => {
  const one = await sync.join();
  for (const name of ["a", "b"]) await one.call(["run", `write ${name}.txt: ${name}`, "--new"]);
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  proxy.onAnswer = async (answer, path) => {
    if (path.includes("/segments")) {
      held.resolve();
      await release.promise;
    }
    return answer;
  };
  const syncing = one.spawnBeside(["sync", "now"]);
  await held.promise;
  expect(await one.call(["sync", "logout"])).toMatchObject({ status: 0 });
  release.resolve();
  expect((await syncing).answer).toMatchObject({ error: { code: "sync-not-logged-in" } });
  proxy.onAnswer = (answer) => answer;

  await sync.newVault();
  sync.places.push(one);
  const invitation = await sync.invitation();
  expect(await one.call(["sync", "login", sync.url, invitation])).toMatchObject({ status: 0 });
  expect((await one.call(["sync", "now"])).answer).toMatchObject({ state: "synced", pending: 0 });
  const two = await sync.join("two");
  await syncAll([one, two]);
  await expectEqual([one, two]);
});

test("[L5] [X1] after a logout the files here still are older than the thread, and a turn is not begun on them unasked", async () => {
  await sync.newVault();
  const one = await sync.join();
  const thread = String((await one.call(["run", "write a.txt: one", "--new"])).answer["thread_id"]);
  const two = await sync.join();
  await syncAll([one, two]);
  await two.call(["run", "write a.txt: two", "--thread", thread], one.root);
  await syncAll([two, one]);
  writeFileSync(join(one.root, "a.txt"), "one");
  expect(await one.call(["sync", "logout"])).toMatchObject({ status: 0 });
  const refused = await one.call(["run", "hello", "--thread", thread]);
  expect(refused.stdout + refused.stderr).toContain("retake sync files");
  expect(await one.call(["sync", "files", thread])).toMatchObject({ status: 0 });
  expect(readFileSync(join(one.root, "a.txt"), "utf8")).toBe("two");
  expect(await one.call(["run", "hello", "--thread", thread])).toMatchObject({ status: 0 });
});
