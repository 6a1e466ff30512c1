import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { zstdCompressSync } from "node:zlib";
import { activeTake, insertEntry, switchTake, takes } from "@retake/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BundlePlace, BundlePlaces, forged, type Line, linesOf, linesOfKind } from "./testing/bundle-place.ts";

const places = new BundlePlaces();
let there: BundlePlace;
let bundle: Buffer;

beforeAll(async () => {
  there = places.open("there");
  ({ bundle } = await places.open("here").exampleThread());
});
afterAll(() => places.close());

const packed = (text: string) => Buffer.from(text).toString("base64");
const unpacked = (path = "") => Buffer.from(path, "base64").toString();

/** A path of a bundle of version 0.1.0 with its state. */
type OldChange = { path?: string; state?: Line };
type OldTree = { files: OldChange[]; links: OldChange[]; changes: OldChange[] };

const below = (path?: string) => packed(`${unpacked(path)}/below`);
const named = (change: OldChange = {}, ...paths: string[]) => paths.map((path) => ({ ...change, path: packed(path) }));

describe("an untrusted bundle", () => {
  const refuses = async (bytes: Uint8Array) => {
    const before = there.workspace.store.everyThread();
    const done = await there.import(bytes);
    expect(done).toMatchObject({ kind: "unreadable", message: expect.stringContaining("Nothing was changed") });
    expect(there.workspace.store.everyThread()).toEqual(before);
    expect(there.examine()).toEqual({ healthy: true, problems: [] });
    return done;
  };
  const changed = (lines: Line[], side: string) =>
    linesOfKind(lines, "change").find((line) => line[side] !== undefined) ?? {};

  test.each<[string, (lines: Line[]) => unknown]>([
    ["a newer version", (lines) => Object.assign(lines[0] ?? {}, { format_version: 3 })],
    ["another kind of file", (lines) => Object.assign(lines[0] ?? {}, { format: "other" })],
    ["another thread's id", (lines) => Object.assign(lines[0] ?? {}, { thread_id: "T-0123456789" })],
    ["a thread's id that is a path", (lines) => Object.assign(lines[0] ?? {}, { thread_id: "T-../../x" })],
    [
      "an operation that was changed",
      (lines) => {
        const line = linesOfKind(lines, "operation")[3] ?? {};
        line["body"] = JSON.stringify({ ...JSON.parse(String(line["body"])), description: "x" });
      },
    ],
    ["an operation that is missing", (lines) => lines.splice(3, 1)],
    ["an operation that is there twice", (lines) => lines.splice(3, 0, lines[2] ?? {})],
    ["lines out of order", (lines) => lines.push(lines[1] ?? {})],
    [
      "an object that was changed",
      (lines) => {
        const content = Buffer.from(String(linesOfKind(lines, "part")[0]?.["content"]), "base64");
        Object.assign(linesOfKind(lines, "part")[0] ?? {}, { content: content.fill("x").toString("base64") });
      },
    ],
    ["an object that is missing", (lines) => lines.splice(lines.indexOf(linesOfKind(lines, "object")[0] ?? {}), 2)],
    ["an object that is too large", (lines) => Object.assign(linesOfKind(lines, "object")[0] ?? {}, { size: 2 ** 40 })],
    [
      "a tree that is missing",
      (lines) => {
        const last = lines.indexOf(linesOfKind(lines, "tree").at(-1) ?? {});
        lines.splice(last, 1 + Number(lines[last]?.["changes"]));
      },
    ],
    ["a tree of another name", (lines) => Object.assign(linesOfKind(lines, "tree")[1] ?? {}, { name: "0".repeat(64) })],
    ["a tree that was changed", (lines) => Object.assign(changed(lines, "after")["after"] as Line, { mode: 0o600 })],
    ["a tree without end", (lines) => Object.assign(linesOfKind(lines, "tree")[0] ?? {}, { changes: 2 ** 40 })],
    [
      "a path that leads out",
      (lines) => Object.assign(linesOfKind(lines, "change")[0] ?? {}, { path: packed("../evil") }),
    ],
    [
      "a path into .git",
      (lines) => Object.assign(linesOfKind(lines, "change")[0] ?? {}, { path: packed(".git/hooks/x") }),
    ],
    [
      "an absolute path",
      (lines) => Object.assign(linesOfKind(lines, "change")[0] ?? {}, { path: packed("/etc/passwd") }),
    ],
    ["a mode that gives rights", (lines) => Object.assign(changed(lines, "after")["after"] as Line, { mode: 0o4755 })],
  ])("[X12] is refused for %s, and nothing has changed", async (_, change) => {
    await refuses(forged(bundle, change));
  });

  test("[X12] is refused when it is cut off, or its end does not match", async () => {
    await refuses(bundle.subarray(0, bundle.length - 20));
    await refuses(forged(bundle, (lines) => lines.pop(), String(linesOf(bundle).at(-1)?.["hash"])));
  });

  test("[X12] is refused when an existing operation has other content", async () => {
    const elsewhere = places.open("other-operation");
    const own = await elsewhere.workspace.newThread("own");
    const add = (place: BundlePlace, content: string) =>
      place.workspace.store.change(own, (state, context) =>
        insertEntry(state, { ...context, id: "the-same-id" }, { entry: { id: "e", content } }),
      );
    const beginning = await elsewhere.bundle(own);
    add(elsewhere, "one");
    const other = places.open("another-operation");
    await other.import(beginning);
    add(other, "two");
    expect(await other.import(await elsewhere.bundle(own))).toMatchObject({
      kind: "unreadable",
      message: expect.stringContaining("says something else"),
    });
  });

  test("[F7] [L7] does not switch the take of this machine, also where it speaks in its name", async () => {
    const victim = places.open("victim");
    const { thread, bundle: whole } = await victim.exampleThread();
    const active = () => victim.workspace.store.read(thread, ({ state }) => activeTake(state));
    const before = active();
    const forger = places.open("forger", victim.workspace.store.shared.threads.device);
    await forger.import(whole);
    forger.workspace.store.change(thread, (state, context) =>
      switchTake(state, context, { take: takes(state).find(({ id }) => id !== before)?.id ?? "" }),
    );
    forger.workspace.store.change(thread, (state, context) =>
      insertEntry(state, context, { entry: { id: "e", content: "x" } }),
    );
    const forgedBundle = await forger.bundle(thread);
    expect(await victim.import(forgedBundle)).toMatchObject({ operations: 2 });
    expect(active()).toBe(before);
    const head = victim.head(thread);
    expect(await victim.import(forgedBundle)).toMatchObject({ operations: 0 });
    expect(victim.head(thread)).toBe(head);
    expect(victim.examine()).toEqual({ healthy: true, problems: [] });
  });

  test("[F12] is refused when bytes follow its end", async () => {
    await refuses(Buffer.concat([bundle, Buffer.from("more")]));
    await refuses(Buffer.concat([bundle, zstdCompressSync(Buffer.from("more\n"))]));
  });

  test("[F12] is refused when a file lies below a file", async () => {
    const file = { kind: "file", hash: "", size: 1, mode: 0o644 } as const;
    const below = (lines: Line[]) => {
      const object = linesOfKind(lines, "object").find((line) => line["size"] !== 0) ?? {};
      const state = { ...file, hash: String(object["hash"]), size: Number(object["size"]) };
      const root = linesOfKind(lines, "tree")[0] ?? {};
      const at = lines.indexOf(root);
      const [name, parent] = [String(root["name"]), "1".repeat(64)];
      // A first tree whose parent is not there is taken as it is given.
      const both = ["x", "x/y"].map((path) => ({ kind: "change", path: packed(path), after: state }));
      lines.splice(
        at,
        1 + Number(root["changes"]),
        { kind: "tree", name, parent, from: "", kept: true, changes: 2 },
        ...both,
      );
    };
    expect(await refuses(forged(bundle, below))).toMatchObject({
      message: expect.stringContaining("lies below a file"),
    });
  });

  test.each<[string, (tree: OldTree) => unknown]>([
    ["a file that is there", ({ files, changes }) => changes.push({ ...files[0], path: below(files[0]?.path) })],
    ["a file that comes with it", ({ files: [file], changes }) => changes.push(...named(file, "x/y", "x"))],
    ["a link", ({ links: [link], files: [file], changes }) => changes.push({ ...file, path: below(link?.path) })],
  ])("[F12] of version 0.1.0 is refused when a file lies below %s", async (_, forge) => {
    const old = readFileSync(join(import.meta.dirname, "..", "store", "fixtures", "0.1.0", "files.bundle"));
    const forgedBundle = forged(old, (lines) => {
      const changes = linesOfKind(lines, "tree").flatMap((tree) => tree["changes"] as OldChange[]);
      const of = (kind: string) => changes.filter(({ state }) => state?.["kind"] === kind);
      const last = linesOfKind(lines, "tree").at(-1)?.["changes"] as OldChange[];
      forge({ files: of("file"), links: of("link"), changes: last });
    });
    expect(await refuses(forgedBundle)).toMatchObject({ message: expect.stringContaining("lies below a file") });
  });

  test("[F12] is refused within 100 MB of memory, however large its content would be", () => {
    const folder = mkdtempSync(join(tmpdir(), "retake-bomb-"));
    const zeros = zstdCompressSync(Buffer.alloc(1024 ** 2));
    const header = linesOf(bundle)[0];
    const start = zstdCompressSync(Buffer.from(`${JSON.stringify(header)}\n`));
    const old = zstdCompressSync(Buffer.from(`${JSON.stringify({ ...header, format_version: 1 })}\n`));
    const spaces = zstdCompressSync(Buffer.alloc(1024 ** 2, " "));
    const many = (frame: Buffer) => Array.from({ length: 1000 }, () => frame);
    const bombs = {
      "one-frame": zstdCompressSync(Buffer.alloc(1e9)),
      "many-frames": Buffer.concat([start, ...many(zeros)]),
      "long-line": Buffer.concat([start, ...many(spaces)]),
      "old-version": Buffer.concat([old, ...many(zeros)]),
    };
    try {
      const most = (name: string, bytes: Uint8Array) => {
        writeFileSync(join(folder, name), bytes);
        const script = fileURLToPath(new URL("./testing/read-one.ts", import.meta.url));
        return JSON.parse(execFileSync(process.execPath, [script, join(folder, name)], { encoding: "utf8" })) as {
          refused: boolean;
          kilobytes: number;
        };
      };
      const small = most("small", bundle);
      expect(small.refused).toBe(false);
      for (const [name, bytes] of Object.entries(bombs)) {
        const { refused, kilobytes } = most(name, bytes);
        expect(refused, name).toBe(true);
        expect(kilobytes - small.kilobytes, name).toBeLessThan(100 * 1024);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
