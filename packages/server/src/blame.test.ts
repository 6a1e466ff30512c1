import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { directories, openStoreAndWorkspace } from "@retake/runtime";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestServer } from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.close());

interface Line {
  readonly text: string;
  readonly writer: string;
}

/** The writer of each line, as the server says. */
async function writersOf(thread: string, path: string, at?: string): Promise<string[]> {
  const { lines } = await server.client().blameFile(thread, { path, ...(at === undefined ? {} : { at }) });
  expect(lines.map(({ start }) => start)).toEqual(
    lines.map((_, index) => 1 + lines.slice(0, index).reduce((sum, run) => sum + run.lines, 0)),
  );
  return lines.flatMap((run) => Array<string>(run.lines).fill(run.turn_name ?? run.by));
}

describe("blame", () => {
  test("[X3] every line belongs to the turn, or to the edit between turns, that wrote it", async () => {
    const edits = fc.array(
      fc.record({
        byTurn: fc.boolean(),
        at: fc.nat({ max: 12 }),
        removed: fc.nat({ max: 3 }),
        added: fc.nat({ max: 3 }),
      }),
      { minLength: 2, maxLength: 6 },
    );
    let files = 0;
    await fc.assert(
      fc.asyncProperty(edits, async (steps) => {
        const { thread } = await server.client().createThread({});
        files += 1;
        const path = `blamed-${files}.txt`;
        const own = (count: number, writer: string, name: string): Line[] =>
          Array.from({ length: count }, (_, index) => ({ text: `${name} ${index}`, writer }));
        // Lines are unique, so that there is one way to read each change.
        let lines = own(4, "before", "first");
        writeFileSync(join(server.root, path), lines.map(({ text }) => `${text}\n`).join(""));
        let turns = 0;
        for (const [index, { byTurn, at, removed, added }] of [
          { byTurn: true, at: 0, removed: 0, added: 1 },
          ...steps,
        ].entries()) {
          if (byTurn) turns += 1;
          const writer = byTurn ? `#${turns}` : "between";
          lines = lines.toSpliced(Math.min(at, lines.length), removed, ...own(added, writer, `step ${index} line`));
          const content = lines.map(({ text }) => `${text}\n`).join("");
          if (byTurn) await server.turn(thread.id, `write ${path}: ${content.replaceAll("\n", "\\n")}`);
          else writeFileSync(join(server.root, path), content);
          // A file that became empty has no lines to ask about.
          if (lines.length > 0) expect(await writersOf(thread.id, path)).toEqual(lines.map((line) => line.writer));
        }
      }),
      { numRuns: 8 },
    );
  });

  test("[X3] [L12] after gc, lines of turns whose files are kept still have their turn, and all others are before", async () => {
    const thread = await server.thread("write kept.txt: one\\n");
    for (const lines of ["one\\ntwo\\n", "one\\ntwo\\nthree\\n", "one\\ntwo\\nthree\\nfour\\n"])
      await server.turn(thread, `write kept.txt: ${lines}`);
    const [home, root] = [directories({ RETAKE_HOME: server.home }), server.root];
    const workspace = openStoreAndWorkspace({ directories: home, root, version: "0" });
    const collected = await workspace.collectGarbage({ turns: 1 });
    await workspace.close();
    expect(collected).toMatchObject({ kind: "collected", captures: expect.any(Number) });
    expect(await writersOf(thread, "kept.txt")).toEqual(["before", "before", "before", "#4"]);
  });

  test("[X3] a revert does not become the writer of the lines that it brings back", async () => {
    const thread = await server.thread(
      "write back.txt: a\\nb\\n",
      "write back.txt: a\\nB\\n",
      "write other.txt: other\\n",
    );
    expect(await writersOf(thread, "back.txt")).toEqual(["#1", "#2"]);
    await server.client().revert(thread, { turn: "#2" });
    expect(server.read("back.txt")).toBe("a\nb\n");
    expect(await writersOf(thread, "back.txt")).toEqual(["#1", "#1"]);
    // The user's edit since is still the user's.
    writeFileSync(join(server.root, "back.txt"), "a\nb\nc\n");
    expect(await writersOf(thread, "back.txt")).toEqual(["#1", "#1", "between"]);
  });

  test("[X3] a deleted file that a revert brings back has the writers that it had", async () => {
    const thread = await server.thread("write gone.txt: a\\n", "run rm gone.txt", "write other.txt: another\\n");
    expect(server.read("gone.txt")).toBeUndefined();
    await server.client().revert(thread, { turn: "#2" });
    expect(await writersOf(thread, "gone.txt")).toEqual(["#1"]);
  });

  test("a path names the same file on disk and in a capture, however it is written", async () => {
    const thread = await server.thread("write w.txt: one\\n");
    for (const path of ["w.txt", "./w.txt", ".//w.txt", "folder/../w.txt"]) {
      for (const at of ["now", "#1"]) {
        expect(await server.client().readFile(thread, { path, at })).toMatchObject({ content: "one\n" });
        expect(await writersOf(thread, path, at)).toEqual(["#1"]);
      }
    }
  });

  test("a path that no file can have is refused as not found", async () => {
    const thread = await server.thread("write some.txt: one\\n");
    for (const path of ["a\0b", "../some.txt", `${"long".repeat(100)}.txt`]) {
      for (const at of ["now", "#1"]) {
        await expect(server.client().readFile(thread, { path, at })).rejects.toMatchObject({ status: 404 });
        await expect(server.client().blameFile(thread, { path, at })).rejects.toMatchObject({ status: 404 });
      }
    }
  });

  test("a past moment is asked about, and what is no text or is not there is refused", async () => {
    const { thread } = await server.client().createThread({});
    await server.turn(thread.id, "write past.txt: one\\n");
    await server.turn(thread.id, "write past.txt: one\\ntwo\\n");
    expect(await writersOf(thread.id, "past.txt")).toEqual(["#1", "#2"]);
    expect(await writersOf(thread.id, "past.txt", "#1")).toEqual(["#1"]);
    rmSync(join(server.root, "past.txt"));
    writeFileSync(join(server.root, "data.bin"), Buffer.from([0, 1, 2]));
    const client = server.client();
    await expect(client.blameFile(thread.id, { path: "past.txt" })).rejects.toMatchObject({ status: 404 });
    await expect(client.blameFile(thread.id, { path: "data.bin" })).rejects.toMatchObject({ status: 422 });
  });
});
