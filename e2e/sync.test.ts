import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "@retake/runtime";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectEqual, formsOf, logs, SyncPlaces, syncAll } from "./sync/sync-places.ts";
import type { RetakePlace } from "./testing/retake-place.ts";

let sync: SyncPlaces;
const start = async () => {
  sync = new SyncPlaces();
  await sync.start();
};
const close = () => sync.close();

async function twoMachines(): Promise<readonly [RetakePlace, RetakePlace, string]> {
  const one = await sync.join();
  const thread = await newThread(one);
  const two = await sync.join();
  await syncAll([one, two]);
  return [one, two, thread];
}

async function newThread(place: RetakePlace, prompt = "write a.txt: one"): Promise<string> {
  const { answer, status } = await place.call(["run", prompt, "--new"]);
  expect(status).toBe(0);
  const thread = String(answer["thread_id"]);
  roots.set(thread, place.root);
  return thread;
}

/** All machines of a test have one disk, so a thread is called in the directory where it was born. */
const roots = new Map<string, string>();

function of(place: RetakePlace, thread: string, args: readonly string[]) {
  const root = roots.get(thread) ?? "";
  return place.call([...args, "--thread", thread], existsSync(root) ? root : place.root);
}

async function insert(place: RetakePlace, thread: string, content: string): Promise<void> {
  expect(await of(place, thread, ["insert", "--content", content])).toMatchObject({ status: 0 });
}

async function contents(place: RetakePlace, thread: string): Promise<string[]> {
  const { answer } = await of(place, thread, ["log"]);
  return (answer["entries"] as { content: string }[]).map(({ content }) => content);
}

describe("sync", () => {
  beforeAll(start);
  afterAll(close);
  beforeEach(() => sync.newVault());

  test("[L5] [X16] brings threads to a linked machine, with their files, and changes back", async () => {
    const [one, two, thread] = await twoMachines();
    expect(await contents(two, thread)).toEqual(await contents(one, thread));
    await insert(two, thread, "from two");
    await syncAll([two, one]);
    expect((await contents(one, thread)).at(-1)).toBe("from two");
    await expectEqual([one, two]);
    const status = (await one.call(["sync", "status"])).answer;
    expect(status).toMatchObject({ state: "synced", pending: 0, threads: [] });
    expect((await one.call(["status"])).answer).toMatchObject({ sync: { state: "synced" } });
  });

  test("[L5] of a large workspace the files that turns change are sent, with every later sync too, and not the whole", async () => {
    const one = await sync.join();
    writeFileSync(join(one.root, "large.bin"), Buffer.alloc(33 * 1024 ** 2));
    for (let each = 0; each < 1500; each += 1) writeFileSync(join(one.root, randomBytes(20).toString("hex")), "");
    const thread = await newThread(one, "write a.txt: one");
    const two = await sync.join();
    await syncAll([one, two]);
    const before = sync.proxy.recorded().length;
    await one.call(["run", "write a.txt: another"]);
    await syncAll([one]);
    // The names of all files alone have 30,000 random bytes.
    expect(sync.proxy.recorded().length - before).toBeLessThan(20_000);
    await syncAll([two]);
    const { files } = (await of(two, thread, ["diff", "#2^", "#2"])).answer;
    expect(files).toMatchObject([{ path: "a.txt", additions: 1, deletions: 1 }]);
  });

  test("[L7] keeps what two machines did at the same time, each where it was, and one merge of it", async () => {
    const [one, two, thread] = await twoMachines();
    await insert(one, thread, "from one");
    await insert(two, thread, "from two");
    await syncAll([one, two]);
    await expectEqual([one, two]);
    expect((await contents(one, thread)).at(-1)).toBe("from one");
    expect((await contents(two, thread)).at(-1)).toBe("from two");
    const { takes } = (await of(one, thread, ["takes"])).answer;
    expect(takes).toHaveLength(2);
    const { operations } = (await of(one, thread, ["history", "--all"])).answer;
    expect(operations.filter(({ parents }: { parents: string[] }) => parents.length > 1)).toHaveLength(1);
  });

  test("[L5] [L7] a new machine takes a long thread in several parts, also past a point where it had two heads", async () => {
    const [one, two, thread] = await twoMachines();
    // Each is a segment of its own, and larger than a part that is stored at once.
    const long = () => randomBytes(72 * 1024).toString("base64");
    const add = async (place: RetakePlace) => {
      await insert(place, thread, long());
      expect(await place.call(["sync", "now"])).toMatchObject({ status: 0 });
    };
    for (let each = 0; each < 3; each += 1) await add(one);
    await syncAll([two]);
    await insert(two, thread, long());
    for (let each = 0; each < 2; each += 1) await add(one);
    await syncAll([two, one]);
    await add(one);
    const three = await sync.join();
    await syncAll([three, one, two]);
    await expectEqual([one, two, three]);
    expect((await of(three, thread, ["takes"])).answer["takes"]).toHaveLength(2);
    expect(await contents(three, thread)).toEqual(await contents(one, thread));
  });

  test("[L5] a pull writes no file of a workspace, and a thread of a missing workspace can be read and is given one", async () => {
    const [one, two, thread] = await twoMachines();
    writeFileSync(join(one.root, "more.txt"), "more");
    await one.call(["run", "append a.txt: two"]);
    await syncAll([one, two]);
    renameSync(one.root, `${one.root}-moved`);
    expect((await contents(two, thread)).length).toBeGreaterThan(2);
    expect((await two.call(["sync"])).answer["elsewhere"]).toMatchObject([
      { thread_id: thread, workspace_root: one.root },
    ]);
    expect((await two.call(["threads"])).answer["threads"]).toEqual([]);
    expect((await two.call(["threads", "--all"])).answer["threads"]).toMatchObject([
      { id: thread, name: thread, workspace_root: one.root },
    ]);
    expect(await two.call(["run", "hello", "--thread", thread])).not.toMatchObject({ status: 0 });
    const written = join(two.folder, "written");
    expect(await two.call(["materialize", "1", written, "--thread", thread])).toMatchObject({ status: 0 });
    expect(readFileSync(join(written, "a.txt"), "utf8")).toBe("one");
    const empty = join(two.folder, "empty");
    mkdirSync(empty);
    expect(await two.call(["switch", thread], empty)).toMatchObject({ status: 0, answer: { files: 2 } });
    expect(readFileSync(join(empty, "more.txt"), "utf8")).toBe("more");
    // It goes on there, and what the turns on the other machine changed can be taken back here.
    expect(await two.call(["undo"], empty)).toMatchObject({ status: 0 });
    expect(readFileSync(join(empty, "a.txt"), "utf8")).toBe("one");
    expect((await two.call(["doctor"], empty)).answer).toMatchObject({ healthy: true });
  });

  test("[L5] [X1] files that another machine changed are brought when the user says so, merged with the user's edits", async () => {
    const one = await sync.join();
    writeFileSync(join(one.root, "a.txt"), "first\nmiddle\nlast\n");
    const thread = await newThread(one, "write b.txt: one");
    const two = await sync.join();
    await syncAll([one, two]);
    // The second machine has the same path with files of its own: the first one's directory is put away meanwhile.
    const elsewhere = `${one.root}-of-one`;
    cpSync(one.root, elsewhere, { recursive: true });
    const put = (name: string, text: string) => writeFileSync(join(one.root, name), text);
    const read = (name: string) => readFileSync(join(one.root, name), "utf8");
    expect(
      await two.call(["run", "write b.txt: two\nappend a.txt: of two", "--thread", thread], one.root),
    ).toMatchObject({ status: 0 });
    expect(read("a.txt")).toBe("first\nmiddle\nlast\nof two");
    await syncAll([two, one]);
    rmSync(one.root, { recursive: true });
    renameSync(elsewhere, one.root);

    // Here are the files of before, and an edit of the user. A turn is not begun on them unasked.
    put("a.txt", "FIRST\nmiddle\nlast\n");
    const version = async () => (await of(one, thread, ["history"])).answer["operations"].length;
    const before = await version();
    const refused = await one.call(["run", "hello", "--thread", thread]);
    expect(refused.status).not.toBe(0);
    expect(refused.stdout + refused.stderr).toContain("retake sync files");
    expect([await version(), read("b.txt")]).toEqual([before, "one"]);
    const dry = await one.call(["sync", "files", thread, "--dry-run"]);
    expect(dry.answer["files"]).toMatchObject([{ path: "a.txt" }, { path: "b.txt" }]);
    expect([await version(), read("b.txt")]).toEqual([before, "one"]);
    expect(await one.call(["sync", "files", thread])).toMatchObject({ status: 0 });
    expect([read("a.txt"), read("b.txt")]).toEqual(["FIRST\nmiddle\nlast\nof two", "two"]);
    expect((await one.call(["sync", "files", thread])).answer).toMatchObject({ op_id: null });
    // Nothing of it is said to be an edit from outside, and undo gives the files of before back.
    const { operations } = (await of(one, thread, ["history", "--all"])).answer;
    expect(operations.filter(({ actor }: { actor: { kind: string } }) => actor.kind === "editor")).toEqual([]);
    expect(await of(one, thread, ["undo"])).toMatchObject({ status: 0 });
    expect([read("a.txt"), read("b.txt")]).toEqual(["FIRST\nmiddle\nlast\n", "one"]);
    expect(await of(one, thread, ["redo"])).toMatchObject({ status: 0 });
    expect(await one.call(["run", "append b.txt: and three", "--thread", thread])).toMatchObject({ status: 0 });
    expect(read("b.txt")).toBe("twoand three");
    expect((await one.call(["doctor"])).answer).toMatchObject({ healthy: true });
  });

  test("[L5] a user who goes on with the files of this machine is asked once, and it is recorded as what it is", async () => {
    const [one, two, thread] = await twoMachines();
    await two.call(["run", "write a.txt: two", "--thread", thread], one.root);
    await syncAll([two, one]);
    writeFileSync(join(one.root, "a.txt"), "one");
    expect(await one.call(["run", "hello", "--thread", thread])).not.toMatchObject({ status: 0 });
    expect(await one.call(["sync", "files", thread, "--keep"])).toMatchObject({
      status: 0,
      answer: { description: "Go on with the files of this machine" },
    });
    expect(await one.call(["run", "append a.txt: more", "--thread", thread])).toMatchObject({ status: 0 });
    expect(readFileSync(join(one.root, "a.txt"), "utf8")).toBe("onemore");
    // Files that came another way, with git for example, need nothing.
    await syncAll([one, two]);
    expect(await two.call(["run", "hello", "--thread", thread], one.root)).toMatchObject({ status: 0 });
  });

  test("[L6] says what waits while the server is away, loses nothing, and sends it when the server is back", async () => {
    const [one, two, thread] = await twoMachines();
    await sync.stopServer();
    await insert(one, thread, "offline");
    const failed = await one.call(["sync", "now"]);
    expect(failed.status).toBe(1);
    expect(failed.answer).toMatchObject({
      state: "pending",
      pending: 1,
      problem: { code: "no-answer", next_try: expect.any(Number) },
      threads: [
        { thread_id: thread, pending: 1, retries: 1, error: { code: "no-answer" }, next_try: expect.any(Number) },
      ],
    });
    await one.call(["sync", "now"]);
    expect((await one.call(["sync"])).answer["threads"]).toMatchObject([{ retries: 2 }]);
    await sync.startServer();
    await syncAll([one, two]);
    expect((await contents(two, thread)).at(-1)).toBe("offline");
    await expectEqual([one, two]);
  });

  test("[X16] a revoked machine is refused at once, says so, and keeps all that it has", async () => {
    const [one, two, thread] = await twoMachines();
    expect(await one.call(["sync", "revoke", "machine-2"])).toMatchObject({ status: 0 });
    await insert(two, thread, "mine");
    const refused = await two.call(["sync", "now"]);
    expect(refused).toMatchObject({
      status: 1,
      answer: { state: "stopped", pending: 1, problem: { code: "revoked" } },
    });
    expect((await contents(two, thread)).at(-1)).toBe("mine");
    await syncAll([one]);
    expect((await contents(one, thread)).at(-1)).not.toBe("mine");
    expect(await two.call(["sync", "logout"])).toMatchObject({ status: 0 });
    expect((await two.call(["sync"])).answer).toMatchObject({ state: "off" });
  });

  test("[X16] the recovery words bring a machine back, and after a rotation only the new ones do", async () => {
    const one = await sync.join();
    const thread = await newThread(one);
    const two = await sync.join();
    await syncAll([one, two]);
    const { words } = (await one.call(["sync", "rotate"])).answer;
    // The other machine gets the new key by itself.
    await insert(two, thread, "after the rotation");
    await syncAll([two, one]);
    await expectEqual([one, two]);
    expect((await contents(one, thread)).at(-1)).toBe("after the rotation");
    await two.call(["sync", "logout"]);
    rmSync(join(two.home, "data"), { recursive: true });
    const old = one as RetakePlace & { words?: string };
    expect(await two.call(["sync", "recover", sync.url, ...(old.words ?? "").split(" ")])).toMatchObject({ status: 1 });
    expect(await two.call(["sync", "recover", sync.url, ...words.split(" ")])).toMatchObject({ status: 0 });
    await syncAll([two]);
    expect(logs(two)).toEqual(logs(one));
  });

  test("[X16] a wrong link word opens nothing, and an invitation works once", async () => {
    const one = await sync.join();
    const invitation = await sync.invitation();
    const wrong = await one.call([
      "sync",
      "link",
      "AAAA-AAAA",
      "abandon",
      "ability",
      "able",
      "about",
      "above",
      "retake",
    ]);
    expect(wrong).toMatchObject({ status: 1 });
    expect(wrong.stdout).toContain("six words");
    expect(await one.call(["sync", "login", sync.url, invitation])).toMatchObject({ status: 1 });
    expect((await one.call(["sync"])).answer).toMatchObject({ state: "synced" });
  });

  test("[X16] keys are in one file that only its owner reads, and in no other file of the home", async () => {
    const [one] = await twoMachines();
    const file = join(one.home, "config", "sync.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { keys, joined } = JSON.parse(readFileSync(file, "utf8"));
    await one.call(["export", "--format", "bundle"]);
    for (const secret of [keys.token, keys.private_key, joined.key]) expect(filesWith(one, secret)).toEqual([file]);
  });

  test("[L6] one thread that cannot be read is named with its reason, and the others are synced", async () => {
    const one = await sync.join();
    const [bad, good] = [await newThread(one, "write bad.txt: x"), await newThread(one, "write good.txt: y")];
    const damage = (from: string, to: string) => {
      const database = openDatabase(join(one.home, "data", "retake.db"));
      database.run("UPDATE operations SET body = replace(body, ?, ?) WHERE thread = ?", from, to, bad);
      database.close();
    };
    damage('"format_version":', '"format_version_":');
    const { status, answer } = await one.call(["sync", "now"]);
    expect(status).toBe(1);
    expect(answer["threads"]).toMatchObject([{ thread_id: bad, retries: 1, error: { code: "failed" } }]);
    expect(answer).toMatchObject({ state: "pending", synced_threads: 1 });
    damage('"format_version_":', '"format_version":');
    const two = await sync.join();
    await syncAll([one, two]);
    expect(await contents(two, good)).toEqual(await contents(one, good));
    await expectEqual([one, two]);
  });

  test("[L5] several processes of one machine do not sync twice", async () => {
    const [one, two, thread] = await twoMachines();
    for (let each = 0; each < 5; each += 1) await insert(one, thread, `entry ${each}`);
    const ran = await Promise.all([1, 2, 3].map(() => one.spawnBeside(["sync", "now"])));
    expect(ran.map(({ status }) => status)).toEqual([0, 0, 0]);
    await syncAll([two]);
    await expectEqual([one, two]);
  });
});

describe("sync with a server of its own, whose data is looked at or replaced", () => {
  beforeEach(start);
  afterEach(close);

  test("[L6] [L7] heals a server that was restored from an older backup", async () => {
    const [one, two, thread] = await twoMachines();
    await sync.stopServer();
    sync.copyServer("data", "backup");
    await sync.startServer();
    await insert(one, thread, "after the backup");
    const second = await newThread(two, "write b.txt: b");
    await syncAll([one, two]);
    await sync.stopServer();
    sync.copyServer("backup", "data");
    await sync.startServer();
    await insert(two, thread, "after the restore");
    await syncAll([two, one]);
    await expectEqual([one, two]);
    // A machine that has nothing gets everything from the healed server.
    const three = await sync.join();
    await syncAll([three]);
    expect(logs(three)).toEqual(logs(one));
    expect((await contents(three, thread)).slice(-2)).toEqual(["after the backup", "after the restore"]);
    expect(await contents(three, second)).toEqual(await contents(two, second));
  });

  test("[L8] [X16] no byte of a private or a synced thread is readable on the way or on the server's disk", async () => {
    const canaries = { synced: "QzSyncedCanary7xK2", hidden: "QzPrivateCanary9wL4", key: "" };
    const one = await sync.join();
    await newThread(one, `write ${canaries.synced}.txt: ${canaries.synced}`);
    await one.call(["run", `write ${canaries.hidden}.txt: ${canaries.hidden}`, "--new", "--private"]);
    const two = await sync.join();
    await syncAll([one, two]);
    const { joined } = JSON.parse(readFileSync(join(one.home, "config", "sync.json"), "utf8"));
    canaries.key = joined.key;
    await sync.stopServer();
    const places = { wire: sync.proxy.recorded(), disk: sync.serverBytes() };
    expect(places.wire.length).toBeGreaterThan(5000);
    for (const bytes of Object.values(places))
      for (const canary of Object.values(canaries))
        expect(formsOf(canary).filter((form) => bytes.includes(form))).toEqual([]);
    // The other machine has the synced one, and nothing of the private one.
    const threads = JSON.stringify(logs(two));
    expect(JSON.stringify(logs(one))).toBe(threads);
    const stored = readFileSync(join(two.home, "data", "retake.db")).toString("latin1");
    expect(stored.includes(canaries.hidden)).toBe(false);
  });

  test("[X16] account delete says what is lost, leaves nothing on the server, and keeps the threads of every machine", async () => {
    const [one, two, thread] = await twoMachines();
    const asked = await one.call(["sync", "account", "delete"]);
    expect(asked.status).toBe(2);
    expect(asked.stdout).toContain("1 thread of 2 machines");
    expect((await one.call(["sync"])).answer).toMatchObject({ state: "synced" });
    expect(await one.call(["sync", "account", "delete", "--yes"])).toMatchObject({ status: 0 });
    expect((await one.call(["sync"])).answer).toMatchObject({ state: "off" });
    const left = await two.call(["sync", "now"]);
    expect(left).toMatchObject({ status: 1, answer: { state: "stopped", problem: { code: "unauthorized" } } });
    expect(await contents(two, thread)).toEqual(await contents(one, thread));
    await sync.stopServer();
    // Only that the vault is gone, for a day: an upload to it may be under way.
    expect(sync.serverRows()).toEqual({ deleted_vaults: 1 });
    expect(sync.packs()).toEqual([]);
  });
});

function filesWith(place: RetakePlace, secret: string): string[] {
  const { stdout } = spawnSync("grep", ["-rlaF", secret, place.home, place.root], { encoding: "utf8" });
  return stdout.trim().split("\n");
}
