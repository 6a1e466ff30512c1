/** Devices and servers of different versions: they work, or refuse with a clear word, and lose nothing. */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RewritingProxy } from "./sync/rewriting-proxy.ts";
import { expectEqual, SyncPlaces, syncAll } from "./sync/sync-places.ts";
import type { RetakePlace } from "./testing/retake-place.ts";

const sync = new SyncPlaces();
let direct = "";
const proxy = new RewritingProxy(() => direct);
let [one, two]: [RetakePlace, RetakePlace] = [undefined as never, undefined as never];
let thread = "";

beforeAll(async () => {
  sync.options = ["--quota", "1"];
  await sync.start();
  direct = sync.url;
  sync.url = await proxy.start();
  one = await sync.join();
  const { answer } = await one.call(["run", "write a.txt: one", "--new"]);
  thread = String(answer["thread_id"]);
  two = await sync.join();
  await syncAll([one, two]);
});
afterAll(async () => {
  await proxy.close();
  await sync.close();
});

function asNow(): void {
  proxy.onRequest = () => undefined;
  proxy.onAnswer = (answer) => answer;
}

async function insert(content: string): Promise<void> {
  expect(await one.call(["insert", "--thread", thread, "--content", content], one.root)).toMatchObject({ status: 0 });
}

async function contents(place: RetakePlace): Promise<string[]> {
  const { answer } = await place.call(["log", "--thread", thread], one.root);
  return (answer["entries"] as { content: string }[]).map(({ content }) => content);
}

describe("versions of sync", () => {
  test("[L5] [L6] a newer device is refused by an older server, says so, and sends everything after the upgrade", async () => {
    proxy.onRequest = (headers) => {
      headers["retake-sync-version"] = "2";
      return undefined;
    };
    await insert("from the future");
    const refused = await one.call(["sync", "now"]);
    expect(refused).toMatchObject({
      status: 1,
      answer: { state: "stopped", pending: 1, problem: { code: "newer-version" } },
    });
    expect(refused.answer["problem"].message).toContain("update the server");
    asNow();
    await syncAll([one, two]);
    expect((await contents(two)).at(-1)).toBe("from the future");
    await expectEqual([one, two]);
  });

  test("[L5] [L6] an older device reads up to what a newer one wrote, says so, still sends, and reads on after its upgrade", async () => {
    await insert("in a newer form");
    await syncAll([one]);
    proxy.onAnswer = (answer, path) => {
      if (!path.includes("/segments?")) return answer;
      const segments = answer["segments"] as { envelope: object }[];
      return {
        ...answer,
        segments: segments.map((each) => ({ ...each, envelope: { ...each.envelope, format_version: 2 } })),
      };
    };
    const before = await contents(two);
    await two.call(["insert", "--thread", thread, "--content", "of the older"], one.root);
    const stopped = await two.call(["sync", "now"]);
    expect(stopped.status).toBe(1);
    expect(stopped.answer["threads"]).toMatchObject([
      { thread_id: thread, pending: 0, stopped: true, error: { code: "newer-version" } },
    ]);
    expect(stopped.answer["threads"][0].error.message).toContain("update Retake");
    expect(await contents(two)).toEqual([...before, "of the older"]);
    asNow();
    await syncAll([two, one]);
    await expectEqual([one, two]);
    const takes = (await one.call(["takes", "--thread", thread], one.root)).answer["takes"];
    expect(takes.length).toBeGreaterThan(1);
  });

  test("[L5] answers of a newer server may say more than this device knows", async () => {
    proxy.onAnswer = (answer) => {
      const more = (value: unknown): unknown =>
        Array.isArray(value)
          ? value.map(more)
          : typeof value === "object" && value !== null && !("envelope" in value)
            ? { ...Object.fromEntries(Object.entries(value).map(([name, each]) => [name, more(each)])), unknown: 1 }
            : value;
      return more(answer) as Record<string, unknown>;
    };
    await insert("to a newer server");
    await syncAll([one, two]);
    asNow();
    await expectEqual([one, two]);
  });

  test("[X16] an older server that has no shares says that it must be updated", async () => {
    proxy.onRequest = (_, path) =>
      path.includes("/shares")
        ? { status: 404, body: { error: { code: "not-found", message: "There is no such route." } } }
        : undefined;
    const { status, stdout } = await one.call(["sync", "share", thread]);
    expect(status).toBe(1);
    expect(stdout).toContain("update the server");
    asNow();
  });

  test("[L6] a full vault is said, loses nothing, and takes everything when it has room", async () => {
    const big = randomBytes(2_000_000);
    writeFileSync(join(one.root, "big.bin"), big);
    await one.call(["run", "write b.txt: b", "--thread", thread]);
    const full = await one.call(["sync", "now"]);
    expect(full).toMatchObject({ status: 1, answer: { state: "pending" } });
    expect(full.answer["threads"]).toMatchObject([{ thread_id: thread, error: { code: "quota-exceeded" } }]);
    const { vault } = (await one.call(["sync", "account"])).answer;
    expect(await sync.callServer("quota", vault, "100")).toMatchObject({ status: 0 });
    await syncAll([one, two]);
    await expectEqual([one, two]);
  });
});
