import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { expectEqual, SyncPlaces, syncAll } from "./sync/sync-places.ts";
import type { RetakePlace } from "./testing/retake-place.ts";

let sync: SyncPlaces;
beforeEach(async () => {
  sync = new SyncPlaces();
  await sync.start();
});
afterEach(() => sync.close());

/** A thread whose entries are one operation. Compressed, each is as large as it says. */
async function importThread(place: RetakePlace, entries: number): Promise<string> {
  const file = join(place.folder, `of-${entries}.toml`);
  const said = Array.from({ length: entries }, () => `"User: ${randomBytes(768 * 1024).toString("base64")}"`);
  writeFileSync(file, `[discussion]\nactive = "main"\n[discussion.discussions.main]\nhistory = [${said}]\n`);
  const { answer, status } = await place.call(["import", file]);
  expect(status).toBe(0);
  return String(answer["threads"][0].id);
}

test("[L5] [L6] a change of many megabytes comes through, and one that is larger than servers take is named", async () => {
  const [one, two] = [await sync.join(), await sync.join()];
  await importThread(one, 20);
  await syncAll([one, two]);
  await expectEqual([one, two]);
  const larger = await importThread(one, 46);
  expect(await one.call(["sync", "now"])).toMatchObject({
    status: 1,
    answer: { threads: [{ thread_id: larger, stopped: true, error: { code: "too-large" } }], synced_threads: 1 },
  });
});
