import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal } from "./testing/refusal.ts";
import { TestServer } from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

describe("requests that are repeated or outdated", () => {
  test("concurrent edits are each answered with their own version and entry", async () => {
    const client = server.client();
    const { thread } = await client.createThread({ title: "Together" });
    const { entry } = await client.addEntry(thread.id, { content: "before" });
    const contents = Array.from({ length: 24 }, (_, index) => `edit ${index}`);
    const answers = await Promise.all(
      contents.map((content) => client.editEntry(thread.id, entry?.id as string, { content })),
    );
    expect(answers.map((answer) => answer.entry?.content)).toEqual(contents);
    const versions = answers.map(({ version }) => version).sort((a, b) => a - b);
    expect(versions).toEqual(contents.map((_, index) => index + 3));
    const last = answers.find(({ version }) => version === versions.at(-1));
    expect((await client.getEntry(thread.id, entry?.id as string)).content).toBe(last?.entry?.content);
  });

  test("If-Match: an old version is a 409 that lists the changes; notes of edited files do not make it old", async () => {
    const client = server.client();
    const id = await server.thread("write stale.txt: 1");
    const { version } = await client.getThread(id);
    const { entries } = await client.listEntries(id);
    const entry = entries[0]?.id as string;
    writeFileSync(join(server.root, "elsewhere.txt"), "saved in an editor");
    const undone = await client.undo(id, { dry_run: true }, { version });
    expect(undone.version).toBe(version + 1);
    await client.editEntry(id, entry, { content: "newer" }, { version });
    const changes = [
      () => client.editEntry(id, entry, { content: "x" }, { version }),
      () => client.removeEntry(id, entry, {}, { version }),
      () => client.changeSettings(id, { draft: "x" }, { version }),
      () => client.changeThread(id, { title: "x" }, { version }),
      () => client.undo(id, {}, { version }),
      () => client.branch(id, { entry }, { version }),
      () => client.revert(id, { op: entry }, { version }),
      () => client.clear(id, {}, { version }),
      () => client.reset(id, {}, { version }),
      () => client.startTurn(id, { prompt: "x" }, { version }),
    ];
    for (const change of changes)
      expect(await refusal(change())).toMatchObject({
        status: 409,
        code: "stale-version",
        details: { expected: version, operations: [{ kind: "entry-edited" }] },
      });
    expect((await client.listEntries(id)).entries[0]?.content).toBe("newer");
  });

  test("an Idempotency-Key runs a request once, repeats its answer, and is refused for another request", async () => {
    const client = server.client();
    const id = await server.thread();
    const idempotencyKey = "key-1";
    const first = await client.addEntry(id, { content: "once" }, { idempotencyKey });
    expect(await client.addEntry(id, { content: "once" }, { idempotencyKey })).toEqual(first);
    expect(await refusal(client.addEntry(id, { content: "twice" }, { idempotencyKey }))).toMatchObject({
      status: 422,
      code: "key-reused",
    });
    const same = await Promise.all(Array.from({ length: 8 }, () => client.clear(id, {}, { idempotencyKey: "key-2" })));
    expect(new Set(same.map(({ op_id }) => op_id)).size).toBe(1);
    const failed = await refusal(client.removeEntry(id, "none", {}, { idempotencyKey: "key-3" }));
    expect(failed.status).toBe(404);
    await server.restart();
    expect(await server.client().addEntry(id, { content: "once" }, { idempotencyKey })).toEqual(first);
    expect((await server.client().listEntries(id)).entries).toEqual([]);
  });

  test("[L8] answers of a private thread under an Idempotency-Key are not in the shared store", async () => {
    const client = server.client();
    const made = { title: "zebra-title", private: true };
    const { thread } = await client.createThread(made, { idempotencyKey: "private-1" });
    const said = await client.addEntry(thread.id, { content: "zebra-words" }, { idempotencyKey: "private-2" });
    await server.restart();
    const again = server.client();
    expect((await again.createThread(made, { idempotencyKey: "private-1" })).thread.id).toBe(thread.id);
    expect(await again.addEntry(thread.id, { content: "zebra-words" }, { idempotencyKey: "private-2" })).toEqual(said);
    const data = join(server.home, "data");
    const files = readdirSync(data, { withFileTypes: true }).filter((each) => each.isFile());
    for (const { name } of files) expect(readFileSync(join(data, name), "latin1")).not.toContain("zebra");
  });

  test("an answer is cached until something changes, and a client that has it gets a 304", async () => {
    const client = server.client();
    const id = await server.thread("hello");
    const ask = (headers: Record<string, string> = {}) => server.fetch(`/v1/threads/${id}`, { headers });
    const first = await ask();
    const etag = first.headers.get("etag") as string;
    const body = await first.text();
    expect(await (await ask()).text()).toBe(body);
    const known = await ask({ "if-none-match": `"other", ${etag}` });
    expect([known.status, await known.text(), known.headers.get("etag")]).toEqual([304, "", etag]);
    await client.addEntry(id, { content: "more" });
    const changed = await ask({ "if-none-match": etag });
    expect(changed.status).toBe(200);
    expect(await changed.json()).toMatchObject({ entries: JSON.parse(body).entries + 1, active: true });
    // Another thread is current now, and nothing of this one has changed.
    await server.thread();
    expect(await (await ask()).json()).toMatchObject({ active: false });
    expect((await server.fetch(`/v1/threads/${id}?x=1`)).status).toBe(400);
    expect((await server.fetch("/v1/threads/T-none")).status).toBe(404);
  });
});
