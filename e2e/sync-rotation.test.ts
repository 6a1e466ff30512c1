import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newKey } from "../packages/runtime/src/sync/cipher.ts";
import { sealFor } from "../packages/runtime/src/sync/device-keys.ts";
import { VaultKey } from "../packages/runtime/src/sync/vault-key.ts";
import { expectEqual, SyncPlaces, syncAll } from "./sync/sync-places.ts";
import type { RetakePlace } from "./testing/retake-place.ts";

const sync = new SyncPlaces();
beforeAll(() => sync.start());
afterAll(() => sync.close());

const loginOf = ({ home }: RetakePlace) =>
  JSON.parse(readFileSync(join(home, "config", "sync.json"), "utf8")) as { joined: { vault: string; key: string } };

test("[X16] a machine that was off during several rotations gets the last key by itself", async () => {
  await sync.newVault();
  const [one, two] = [await sync.join(), await sync.join()];
  await one.call(["run", "write a.txt: a"]);
  await syncAll([one, two]);
  for (let count = 0; count < 3; count += 1) expect(await one.call(["sync", "rotate"])).toMatchObject({ status: 0 });
  await one.call(["run", "write b.txt: b", "--new"]);
  await syncAll([one, two]);
  await expectEqual([one, two]);
  expect(loginOf(two)).toMatchObject({ joined: { key: loginOf(one).joined.key } });
});

test("[X16] a server cannot give a machine a key of its own", async () => {
  await sync.newVault();
  const one = await sync.join();
  await one.call(["run", "write a.txt: a"]);
  await syncAll([one]);
  const { vault, key } = loginOf(one).joined;
  const own = new VaultKey(newKey());
  const database = new DatabaseSync(join(sync.folder, "server-data", "sync.db"));
  const { public_key } = database.prepare("SELECT public_key FROM devices WHERE vault = ?").get(vault) ?? {};
  const sealed = sealFor(String(public_key), own.bytes, vault);
  database.prepare("UPDATE vaults SET kid = ? WHERE vault = ?").run(own.kid, vault);
  database.prepare("UPDATE devices SET sealed_key = ? WHERE vault = ?").run(sealed, vault);
  database.close();
  await one.call(["run", "write b.txt: b", "--new"]);
  const synced = await one.call(["sync", "now"]);
  expect([synced.status, loginOf(one).joined.key]).toEqual([1, key]);
  expect((await one.call(["sync"])).answer).toMatchObject({ problem: { code: "wrong-key" } });
});
