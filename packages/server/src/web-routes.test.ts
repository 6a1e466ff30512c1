import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@retake/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isEnd, TestServer } from "./testing/test-server.ts";

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await TestServer.start();
  client = server.client();
});
afterAll(() => server.close());

describe("find in a thread", () => {
  test("[L11] every match of one take in the order of the conversation, in pages, with the count of all", async () => {
    const id = await server.thread();
    const words = (index: number) => `entry ${index} ${index % 10 === 0 ? "needle" : "hay"} Übung`;
    const entries = Array.from({ length: 300 }, (_, index) => ({ id: `e${index}`, content: words(index) }));
    await client.replaceEntries(id, { entries });
    const expected = entries.filter(({ content }) => content.includes("needle")).map((entry) => entry.id);
    const all = await client.findInThread(id, { q: "needle" });
    expect(all.matches.map((match) => match.id)).toEqual(expected);
    expect(all).toMatchObject({ total: 30, matches: expect.any(Array) });
    expect([...all.matches].sort((a, b) => (a.order < b.order ? -1 : 1))).toEqual(all.matches);
    const [first] = all.matches;
    expect(first?.highlights.map(({ start, end }) => first.snippet.slice(start, end))).toEqual(["needle"]);
    const joined: string[] = [];
    for (let cursor: string | undefined, begun = false; !begun || cursor !== undefined; begun = true) {
      const page = await client.findInThread(id, { q: "need", limit: 7, ...(cursor === undefined ? {} : { cursor }) });
      expect(page.total).toBe(30);
      joined.push(...page.matches.map((match) => match.id));
      cursor = page.cursor;
    }
    expect(joined).toEqual(expected);
    expect((await client.findInThread(id, { q: "ubung needle", role: "User" })).total).toBe(30);
    expect((await client.findInThread(id, { q: '"*" AND (' })).total).toBe(0);
    await expect(client.findInThread(id, { q: "needle", take: "none" })).rejects.toMatchObject({ status: 404 });
  });

  test("[L11] follows edits, removals, undo and takes", async () => {
    const id = await server.thread();
    await client.replaceEntries(id, {
      entries: ["alpha", "beta", "alpha beta", "gamma"].map((content, index) => ({ id: `f${index}`, content })),
    });
    const found = async (q: string, take?: string) =>
      (await client.findInThread(id, { q, ...(take === undefined ? {} : { take }) })).matches.map((match) => match.id);
    const main = (await client.listTakes(id)).takes[0]?.id as string;
    await client.branch(id, { entry: "f1" });
    expect(await found("alpha")).toEqual(["f0"]);
    expect(await found("alpha", main)).toEqual(["f0", "f2"]);
    await client.editEntry(id, "f0", { content: "delta" });
    expect(await found("alpha")).toEqual([]);
    expect(await found("alpha", main)).toEqual(["f0", "f2"]);
    await client.removeEntry(id, "f1");
    expect(await found("beta")).toEqual([]);
    await client.undo(id, { steps: 2 });
    expect([await found("alpha"), await found("beta")]).toEqual([["f0"], ["f1"]]);
  });
});

test("[X7] a dry run of an edit says what it would break, in a described form, and changes nothing", async () => {
  const id = await server.thread();
  await client.replaceEntries(id, {
    entries: [
      { id: "q", role: "User", content: "question" },
      { id: "a", role: "AI", content: "answer" },
      { id: "r", role: "User", content: "more" },
    ],
  });
  const { version } = await client.getThread(id);
  const would = await client.editEntry(id, "q", { content: "other" }, { query: { dry_run: true } });
  expect(would).toMatchObject({
    op_id: null,
    version,
    effects: { cache: { message: 0, entry_id: "q", tokens: expect.any(Number) }, thinking_left_out: [], repairs: [] },
  });
  expect((await client.getEntry(id, "q")).content).toBe("question");
  const done = await server.fetch(`/v1/threads/${id}/entries/a?effects=true`, { method: "DELETE" });
  const { effects } = (await done.json()) as { effects: { summary: string } };
  expect(effects.summary).not.toBe("");
});

describe("models", () => {
  test("[P3] are listed by provider with windows and prices, and no key is told", async () => {
    mkdirSync(join(server.home, "config"), { recursive: true });
    writeFileSync(
      join(server.home, "config", "config.toml"),
      [
        'model = "scripted/default"',
        "[providers.anthropic]",
        'api_key = "sk-ant-very-secret-key"',
        'base_url = "http://127.0.0.1:9"',
        '[prices."scripted/default"]',
        "input = 3",
        "output = 15",
      ].join("\n"),
    );
    const response = await server.fetch("/v1/models");
    const text = await response.text();
    expect(text).not.toContain("very-secret");
    const { model, providers } = await client.listModels();
    expect(model).toBe("scripted/default");
    expect(providers.find(({ provider }) => provider === "scripted")).toMatchObject({
      status: "ready",
      models: [{ name: "scripted/default", price: { input: 3, output: 15 } }],
    });
    expect(providers.find(({ provider }) => provider === "anthropic")).toMatchObject({ status: "unreachable" });
    expect(providers.find(({ provider }) => provider === "openai")).toMatchObject({ status: "not-configured" });
    writeFileSync(join(server.home, "config", "config.toml"), "");
  });
});

test("[S8] [D2] the request of a turn is told whole, by its steps, without secrets", async () => {
  const id = await server.thread("say hello", "write a.txt: GITHUB_TOKEN=abcdefghijk and more");
  const [first, second] = (await client.listTurns(id)).turns;
  const sent = await client.getTurnRequest(id, first?.id as string);
  expect(sent).toMatchObject({ turn_id: first?.id, unreadable: 0, requests: [{ step: expect.any(Number) }] });
  expect(JSON.stringify(sent.request?.messages)).toContain("say hello");
  expect(sent.request?.response).toMatchObject({ text: expect.any(String) });
  const written = await client.getTurnRequest(id, second?.name as string);
  expect(written.requests).toHaveLength(2);
  expect(written.request?.step).toBe(written.requests[1]?.step);
  expect(JSON.stringify(written.request?.messages)).toContain("say hello");
  expect(JSON.stringify(written)).not.toContain("abcdefghijk");
  const begin = await client.getTurnRequest(id, second?.id as string, { step: written.requests[0]?.step as number });
  expect(begin.request?.messages.length).toBeLessThan(written.request?.messages.length as number);
  await expect(client.getTurnRequest(id, first?.id as string, { step: 99 })).rejects.toMatchObject({ status: 404 });
  await client.reset(id);
  expect((await client.getTurnRequest(id, second?.id as string)).requests).toHaveLength(2);
});

describe("the graph", () => {
  test("[D3] [X6] takes say where they were branched off, operations what they were made on", async () => {
    const id = await server.thread("write a.txt: 1", "write a.txt: 2", "write b.txt: 3");
    const [main] = (await client.listTakes(id)).takes;
    expect(main).toMatchObject({ parent: null, branched_at: null, running: null });
    const turns = (await client.listTurns(id)).turns;
    const { entries } = await client.listEntries(id);
    const last = entries.findLast((entry) => entry.turn_id === turns[0]?.id);
    const { take } = await client.branch(id, { entry: last?.id as string });
    await server.turn(id, "write a.txt: other");
    await client.branch(id, { entry: "#1" });
    const { takes } = await client.listTakes(id);
    const branched = takes.find((each) => each.id === take?.id);
    expect(branched).toMatchObject({
      parent: main?.id,
      branched_at: { entry: last?.id, turn: turns[0]?.id, turn_name: "#1", op: expect.any(String) },
    });
    expect(Date.parse(branched?.updated_at as string)).toBeGreaterThan(Date.parse(branched?.created_at as string));
    expect(takes.find(({ active }) => active)).toMatchObject({ parent: take?.id, branched_at: { turn_name: "#1" } });
    const { operations } = await client.getHistory(id, { files: true });
    expect(operations.filter(({ kind }) => kind === "turn-finished").map(({ files }) => files)).toEqual([1]);
    const every = await client.getHistory(id, { all: true, files: true });
    for (const [index, operation] of every.operations.entries())
      expect(operation.parents).toEqual(every.operations.slice(index + 1, index + 2).map((parent) => parent.id));
    expect(every.operations.some((operation) => operation.group !== operation.id)).toBe(true);
  });
});

test("[X6] files of another take are taken over one by one, with a dry run, and undo gives them back", async () => {
  const id = await server.thread("write x.txt: main", "write y.txt: main");
  const main = (await client.listTakes(id)).takes[0]?.id as string;
  await client.branch(id, { entry: "#1" });
  await server.turn(id, "write x.txt: other");
  expect([server.read("x.txt"), server.read("y.txt")]).toEqual(["other", undefined]);
  const would = await client.takeOver(id, main, { paths: ["y.txt"], dry_run: true });
  expect(would).toMatchObject({ op_id: null, files: [{ path: "y.txt", became: "restored" }] });
  expect(server.read("y.txt")).toBeUndefined();
  await client.takeOver(id, main, { paths: ["y.txt"], plan_id: would.plan_id });
  expect([server.read("x.txt"), server.read("y.txt")]).toEqual(["other", "main"]);
  await client.undo(id);
  expect(server.read("y.txt")).toBeUndefined();
  const active = (await client.listTakes(id)).takes.find((take) => take.active)?.id as string;
  await expect(client.takeOver(id, active, {})).rejects.toMatchObject({ status: 422 });
});

test("[N6] [X3] a tool call is a point: its own changes are a diff, and a hunk of it is taken back", async () => {
  const id = await server.thread("write n1.txt: a\nwrite n2.txt: b\nwrite n3.txt: c", "write n2.txt: later");
  const diff = async (from: string, to: string) =>
    (await client.diffThread(id, { from, to })).files.map(({ path, status }) => `${status} ${path}`);
  expect(await diff("#1.1.2^", "#1.1.2")).toEqual(["added n2.txt"]);
  expect(await diff("#1.1.1", "1.1.3")).toEqual(["added n2.txt", "added n3.txt"]);
  expect(await diff("#2.1.1^", "#2.1.1")).toEqual(["modified n2.txt"]);
  await expect(client.diffThread(id, { from: "#1.9.1", to: "now" })).rejects.toMatchObject({ status: 404 });
  const { files } = await client.diffThread(id, { from: "#2.1.1^", to: "#2.1.1", hunks: true });
  const hunks = [{ path: "n2.txt", edits: files[0]?.hunks?.[0]?.edits as number[] }];
  await client.revert(id, { call: "#2.1.1", hunks });
  expect(server.read("n2.txt")).toBe("b");
});

test("[X3] several turns in a row are taken back in one step, and one undo returns them", async () => {
  const id = await server.thread("write q.txt: 1", "write q2.txt: 2", "write q3.txt: 3", "write q4.txt: 4");
  await client.revert(id, { turn: "#2", until: "#3" });
  expect(["q.txt", "q2.txt", "q3.txt", "q4.txt"].map((name) => server.read(name))).toEqual([
    "1",
    undefined,
    undefined,
    "4",
  ]);
  await client.undo(id);
  expect(server.read("q3.txt")).toBe("3");
  await client.revert(id, { turn: "#2", until: "#4", paths: ["q3.txt"] });
  expect(["q2.txt", "q3.txt", "q4.txt"].map((name) => server.read(name))).toEqual(["2", undefined, "4"]);
  expect((await client.listTurns(id)).turns).toHaveLength(4);
  await expect(client.revert(id, { turn: "#3", until: "#2" })).rejects.toMatchObject({ status: 422 });
  await expect(client.revert(id, { call: "#1.1.1", until: "#2" })).rejects.toMatchObject({ status: 422 });
});

test("[X3] taking back one file changes no other take, and a path that was not changed changes nothing", async () => {
  const id = await server.thread("write p.txt: 1\nwrite p2.txt: 1");
  await client.branch(id, { entry: "#1" });
  await server.turn(id, "write p.txt: 2");
  await client.undo(id, { steps: 3, paths: ["p.txt"] });
  expect(server.read("p.txt")).toBe("1");
  const { version } = await client.getThread(id);
  for (const missing of [{ paths: ["typo.txt"] }, { paths: ["../p.txt"], scope: "conversation" as const }])
    expect(await client.undo(id, missing)).toMatchObject({ op_id: null, version, files: [] });
  expect(await client.revert(id, { turn: "#1", paths: ["typo.txt"] })).toMatchObject({ op_id: null, version });
  await client.switchTake(id, "main");
  expect(["p.txt", "p2.txt"].map((name) => server.read(name))).toEqual(["1", "1"]);
});

test("[U8] redo brings back as many undos as `count` says", async () => {
  const id = await server.thread("write r.txt: 1", "write r2.txt: 2");
  await client.undo(id);
  await client.undo(id);
  await client.redo(id, { count: 2 });
  expect(["r.txt", "r2.txt"].map((name) => server.read(name))).toEqual(["1", "2"]);
});

test("[X6] one hunk of another take's file is taken over, and the rest of the file stays", async () => {
  const lines = (first: string, last: string) => [first, ..."abcdefghijkl", last].join("\\n");
  const id = await server.thread(`write h.txt: ${lines("one", "end")}`, `write h.txt: ${lines("ONE", "END")}`);
  const main = (await client.listTakes(id)).takes[0]?.id as string;
  const active = (await client.branch(id, { entry: "#1" })).take?.id as string;
  const { files } = await client.compareTakes(id, main, active);
  expect(files[0]?.hunks).toHaveLength(2);
  const hunks = [{ path: "h.txt", edits: files[0]?.hunks?.[1]?.edits as number[] }];
  await client.takeOver(id, main, { hunks });
  expect(server.read("h.txt")).toBe(lines("one", "END").replaceAll("\\n", "\n"));
  await client.undo(id);
  expect(server.read("h.txt")).toBe(lines("one", "end").replaceAll("\\n", "\n"));
});

describe("files of a workspace by name", () => {
  test("[S2] paths that contain a text come with the best first, at any point and now", async () => {
    const id = await server.thread("run mkdir -p src/deep; touch src/deep/notes.md src/Note.ts other.txt denote.txt");
    const paths = async (query: Parameters<Client["listFiles"]>[1]) =>
      (await client.listFiles(id, query)).files.map(({ path }) => path);
    expect(await paths({ q: "note" })).toEqual(["src/Note.ts", "src/deep/notes.md", "denote.txt"]);
    const page = await client.listFiles(id, { q: "note", limit: 1 });
    expect(page).toMatchObject({ total: 3, files: [{ path: "src/Note.ts", kind: "file", size: 0 }] });
    writeFileSync(join(server.root, "notes-now"), "");
    expect(await paths({ q: "notes-" })).toEqual([]);
    expect(await paths({ q: "notes-", at: "now" })).toEqual(["notes-now"]);
    expect(await paths({ at: "#1^", q: "note" })).toEqual([]);
    await expect(client.listFiles(id, { at: "#99" })).rejects.toMatchObject({ status: 404 });
  });
});

describe("the queue", () => {
  test("[S9] a turn that waits can be changed and removed; one that runs cannot", async () => {
    const slow = { turns: [{ steps: [{ tool_calls: [{ name: "write", input: { path: "q.txt", content: "1" } }] }] }] };
    await server.restart(slow);
    client = server.client();
    const id = await server.thread();
    const { seq } = await client.getCheckpoint(id);
    const running = await client.startTurn(id, { prompt: "first", approve: "ask" });
    await server.until(id, seq, (event) => event.type === "approval-asked");
    const ask = async (prompt: string) => (await client.startTurn(id, { prompt, approve: "all" })).turn_id;
    const [b, c, d] = [await ask("b"), await ask("c"), await ask("d")] as const;
    const queued = async () =>
      (await client.listTurns(id)).turns.filter(({ status }) => status === "queued").map(({ prompt }) => prompt);
    expect(await queued()).toEqual(["b", "c", "d"]);
    expect((await client.changeQueuedTurn(id, b, { prompt: "b again" })).turn).toMatchObject({ prompt: "b again" });
    expect((await client.removeQueuedTurn(id, d)).turn.status).toBe("not-started");
    expect(await queued()).toEqual(["b again", "c"]);
    await expect(client.changeQueuedTurn(id, running.turn_id, { prompt: "x" })).rejects.toMatchObject({
      status: 409,
      code: "agent-running",
    });
    await expect(client.removeQueuedTurn(id, running.turn_id)).rejects.toMatchObject({ status: 409 });
    await expect(client.changeQueuedTurn(id, d, { prompt: "x" })).rejects.toMatchObject({ status: 404 });
    await expect(client.changeQueuedTurn(id, b, { prompt: " " })).rejects.toMatchObject({ status: 422 });
    const [call] = (await client.listTurns(id)).turns[0]?.approvals ?? [];
    await client.decideApproval(id, running.turn_id, call?.call_id as string, { decision: "allow" });
    await server.until(id, seq, (event) => isEnd(event, c));
    expect((await client.listTurns(id)).turns.map(({ prompt }) => prompt)).toEqual(["first", "b again", "c"]);
    await server.restart();
    client = server.client();
  });
});

describe("screenshots", () => {
  const PNG = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from("pixels")]);

  test("[S2] an image's bytes are kept outside of the workspace, named, sent with requests, and read back", async () => {
    const id = await server.thread("write a.txt: 1");
    const before = readdirSync(server.root).sort();
    const added = await client.addScreenshot(id, { content: PNG.toString("base64"), name: "pasted.png" });
    const { path } = added.screenshot;
    expect(path).toMatch(/^image:[0-9a-f]{64}\.png$/);
    expect(readdirSync(server.root).sort()).toEqual(before);
    expect((await client.getSettings(id)).screenshots).toMatchObject([{ path, name: "pasted.png" }]);
    const read = await client.getScreenshot(id, { path });
    expect(read).toMatchObject({ media_type: "image/png", size: PNG.length });
    expect(Buffer.from(read.content, "base64")).toEqual(PNG);
    expect(await client.addScreenshot(id, { content: PNG.toString("base64") })).toMatchObject({ op_id: null });
    const turn = await server.turn(id, "look");
    expect(JSON.stringify((await client.getTurnRequest(id, turn)).request?.messages)).toContain('"image/png"');
    await client.changeSettings(id, { screenshots: [] });
    await expect(client.getScreenshot(id, { path })).rejects.toMatchObject({ status: 404 });
    await client.undo(id, { steps: 1 });
    expect(await client.getScreenshot(id, { path })).toMatchObject({ size: PNG.length });
  });

  test("[S2] refuses what is no image, what is too large, and files that no take names", async () => {
    const id = await server.thread();
    const { version } = await client.getThread(id);
    const large = Buffer.concat([PNG, Buffer.alloc(3_750_001)]).toString("base64");
    for (const content of ["", "not base64!", Buffer.from("<svg/>").toString("base64"), large])
      await expect(client.addScreenshot(id, { content })).rejects.toMatchObject({ status: 422 });
    expect((await client.getThread(id)).version).toBe(version);
    for (const path of ["/etc/passwd", "../x.png", "image:../../token.png", `image:${"0".repeat(64)}.png`])
      await expect(client.getScreenshot(id, { path })).rejects.toMatchObject({ status: 404 });
    const response = await server.fetch(`/v1/threads/${id}/screenshots?path=x.png`);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });
});

test("[B2] collapses and expands all entries in one step that undo takes back", async () => {
  const id = await server.thread("one", "two");
  const folded = async () => (await client.listEntries(id)).entries.map(({ collapsed }) => collapsed);
  const before = await folded();
  await client.showEntries(id, { collapsed: true });
  expect(new Set(await folded())).toEqual(new Set([true]));
  await client.showEntries(id, { collapsed: false });
  expect(new Set(await folded())).toEqual(new Set([false]));
  await client.undo(id, { steps: 2 });
  expect(await folded()).toEqual(before);
});

describe("threads as files", () => {
  test.each(["json", "toml", "bundle"] as const)("[D7] [X12] a thread as %s comes back as a thread", async (format) => {
    const id = await server.thread("write kept.txt: 1");
    await client.changeThread(id, { title: `A/B: ${format} …` });
    const { encoding, content, name, size } = await client.exportThread(id, { format });
    expect(name).toBe(`A-B-${format}.${format}`);
    expect(Buffer.from(content, encoding)).toHaveLength(size);
    const other = server.makeDirectory(`import-${format}`);
    const done = await client.importThreads({ encoding, content, workspace_root: other });
    expect(done).toMatchObject({ format, threads: [{ id: expect.any(String) }] });
    const entries = (await client.listEntries(done.threads[0]?.id as string)).entries.map((entry) => entry.content);
    expect(entries).toEqual((await client.listEntries(id)).entries.map((entry) => entry.content));
  });

  test("[D7] markdown is to read, a point is as it was then, and a file that is none is refused", async () => {
    const id = await server.thread("say one", "say two");
    expect((await client.exportThread(id, { format: "markdown" })).content).toContain("say two");
    const then = await client.exportThread(id, { format: "markdown", at: "#1" });
    expect([then.content.includes("say one"), then.content.includes("say two")]).toEqual([true, false]);
    const count = (await client.listThreads()).threads.length;
    for (const content of ["{", "(nothing) [", '{"format":"other"}'])
      await expect(client.importThreads({ encoding: "utf8", content })).rejects.toMatchObject({
        code: expect.any(String),
      });
    expect((await client.listThreads()).threads).toHaveLength(count);
  });

  test("[L12] the files of any point are written into a new directory, never into the workspace or a full one", async () => {
    const id = await server.thread("write m.txt: first", "write m.txt: second");
    const directory = join(server.folder, "as-it-was");
    await client.materialize(id, { at: "#1", directory });
    expect(readFileSync(join(directory, "m.txt"), "utf8")).toBe("first");
    for (const wrong of [directory, join(server.root, "inside"), "relative"])
      await expect(client.materialize(id, { at: "#1", directory: wrong })).rejects.toMatchObject({
        code: expect.stringMatching(/invalid-input|not-empty/),
      });
    expect(server.read("m.txt")).toBe("second");
  });
});
