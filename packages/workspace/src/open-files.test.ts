import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { FileState } from "./model/model.ts";
import { bytePath } from "./model/path-bytes.ts";
import { gitEnvironment } from "./testing/git-oracle.ts";
import { leftOut } from "./testing/left-out.ts";
import { temporaryWorkspaces } from "./testing/temporary-workspace.ts";

const temporary = temporaryWorkspaces();

describe("what is captured", () => {
  test("files with their exact mode, links as data, empty directories", async () => {
    const place = temporary();
    place.write("script", "#!/bin/sh\n");
    chmodSync(place.path("script"), 0o750);
    symlinkSync("nowhere", place.path("link"));
    mkdirSync(place.path("empty"), { mode: 0o700 });
    const workspace = place.open();
    const files = workspace.files((await workspace.capture()).id);
    expect(files.get("script")).toMatchObject({ kind: "file", mode: 0o750, size: 10 });
    expect(files.get("link")).toMatchObject({ kind: "link", size: 7 });
    expect(files.get("empty")).toEqual({ kind: "directory", mode: 0o700 });
    const link = files.get("link") as Extract<FileState, { kind: "link" }>;
    expect(workspace.objects.read(link.hash, "link").toString()).toBe("nowhere");
  });

  test("CRLF and binary content byte for byte, whatever .gitattributes says", async () => {
    const place = temporary();
    const content = Buffer.from("one\r\ntwo\0\xff\r\n", "latin1");
    place.write(".gitattributes", "* text=auto eol=lf\n*.bin filter=lfs\n");
    place.write("a.txt", content);
    const workspace = place.open();
    const state = workspace.files((await workspace.capture()).id).get("a.txt");
    expect(state?.kind === "file" && workspace.objects.read(state.hash, "a.txt")).toEqual(content);
  });

  test("[X4] a nested repository's files are captured, its .git is not", async () => {
    const place = temporary();
    place.write("vendor/lib/a.c", "int a;\n");
    execFileSync("git", ["init", "-q", place.path("vendor/lib")], { env: gitEnvironment });
    writeFileSync(place.path("vendor/lib/.git/info/exclude"), "*.o\n");
    place.write("vendor/lib/a.o", Buffer.alloc(300_000));
    const workspace = place.open();
    const { id, receipt } = await workspace.capture();
    const paths = [...workspace.files(id).entries()].map(([path]) => path);
    expect(paths).toEqual(["vendor/lib/a.c"]);
    expect(leftOut(receipt)).toEqual({ "vendor/lib/a.o": "ignored" });
  });

  test("keeps names that are not UTF-8 as bytes", async () => {
    const place = temporary();
    const name = Buffer.concat([Buffer.from(`${place.root}/caf`), Buffer.from([0xe9])]);
    writeFileSync(name, "latin");
    place.write("café", "utf8");
    const workspace = place.open();
    const files = workspace.files((await workspace.capture()).id);
    expect([...files.entries()].map(([path]) => path)).toEqual(["caf\xc3\xa9", "caf\xe9"]);
    expect(files.get(bytePath("café"))).toBeDefined();
  });

  test("[X4] never opens FIFOs and sockets, and reports them", async () => {
    const place = temporary();
    execFileSync("mkfifo", [place.path("pipe")]);
    const server = createServer().listen(place.path("socket"));
    await new Promise((resolve) => server.once("listening", resolve));
    place.write("a", "a");
    const { receipt } = await place.open().capture();
    server.close();
    expect(leftOut(receipt)).toEqual({ pipe: "special", socket: "special" });
    expect(receipt.files).toBe(1);
  });

  test.each([".git", "nested/.git", "nested/.git/info/exclude"])(
    "[X4] never opens a FIFO in the place of %s, from which it would read ignore rules",
    async (name) => {
      const place = temporary();
      mkdirSync(dirname(place.path(name)), { recursive: true });
      execFileSync("mkfifo", [place.path(name)]);
      place.write("nested/a", "a");
      expect((await place.open({ thread: true }).capture()).receipt.files).toBe(1);
    },
  );

  test("[X4] leaves out and reports a file above the size limit; undo does not delete one that grew above it", async () => {
    const place = temporary();
    place.write("big", "x".repeat(2000));
    place.write("growing", "x");
    const workspace = place.open({ limits: { largestFile: 1000 } });
    const first = await workspace.capture();
    expect(leftOut(first.receipt)).toEqual({ big: "too-large" });
    place.write("growing", "x".repeat(1001));
    place.write("big", "y".repeat(2000));
    const second = await workspace.capture();
    expect(second.changes).toMatchObject([
      { path: "growing", before: { kind: "file" }, after: { kind: "uncovered", reason: "too-large" } },
    ]);
    expect(second.receipt.leftOutChanged).toEqual(["big", "growing"]);
    place.write("big", "small");
    const third = await workspace.capture();
    expect(third.changes).toMatchObject([{ path: "big", before: { kind: "uncovered" }, after: { kind: "file" } }]);
    expect(third.receipt.leftOutChanged).toEqual(["big"]);
  });

  test("leaves out and reports names that some file system takes for .git", async () => {
    const place = temporary();
    place.write(".GIT/config", "x");
    place.write("git~1", "x");
    place.write("a", "a");
    const { receipt } = await place.open().capture();
    expect(leftOut(receipt)).toEqual({ ".GIT": "reserved-name", "git~1": "reserved-name" });
  });

  test("[X4] reports unreadable files, and their changes once", async () => {
    const place = temporary();
    for (const name of ["secret", "closed/a", "unlisted/a"]) place.write(name, "x");
    mkdirSync(place.store);
    const script = fileURLToPath(new URL("./testing/capture-once.ts", import.meta.url));
    // Root can read everything, so another user captures in that case.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
    if (nobody) for (const path of [place.home, place.store]) chownSync(path, nobody.uid, nobody.gid);
    const modes = { secret: 0o000, closed: 0o000, unlisted: 0o444 };
    for (const [name, mode] of Object.entries(modes)) chmodSync(place.path(name), mode);
    const capture = () =>
      JSON.parse(
        spawnSync(process.execPath, [script, place.root, place.store], { encoding: "utf8", ...nobody }).stdout,
      );
    const uncovered = [
      { path: "closed", reason: "unreadable" },
      { path: "secret", reason: "unreadable" },
      { path: "unlisted/a", reason: "unreadable" },
    ];
    expect(capture()).toEqual({ uncovered, leftOutChanged: [] });
    expect(capture()).toEqual({ uncovered, leftOutChanged: [] });
    chmodSync(place.path("secret"), 0o600);
    place.write("secret", "longer");
    chmodSync(place.path("secret"), 0o000);
    expect(capture()).toEqual({ uncovered, leftOutChanged: ["secret"] });
    expect(capture()).toEqual({ uncovered, leftOutChanged: [] });
    for (const name of Object.keys(modes)) chmodSync(place.path(name), 0o700);
  });
});

describe("changes", () => {
  test("without changes it is the same capture as before", async () => {
    const place = temporary();
    place.write("a", "a");
    const workspace = place.open();
    const first = await workspace.capture();
    const second = await workspace.capture();
    expect(second.id).toBe(first.id);
    expect(second.receipt.changed).toBe(0);
  });

  test("finds a rewrite of the same size with its old times set back", async () => {
    const place = temporary();
    place.write("a", "one");
    utimesSync(place.path("a"), 1_000, 1_000);
    const workspace = place.open();
    await workspace.capture();
    place.write("a", "two");
    utimesSync(place.path("a"), 1_000, 1_000);
    expect((await workspace.capture()).changes).toMatchObject([{ path: "a" }]);
  });

  test("finds a rewrite through a hard link elsewhere by a full scan", async () => {
    const place = temporary();
    place.write("a", "one");
    linkSync(place.path("a"), join(place.home, "elsewhere"));
    const workspace = place.open();
    await workspace.capture();
    writeFileSync(join(place.home, "elsewhere"), "two");
    expect((await workspace.capture()).changes).toMatchObject([{ path: "a" }]);
  });

  test("finds a directory that was replaced by another of the same name", async () => {
    const place = temporary();
    place.write("d/a", "one");
    place.write("e/b", "two");
    const workspace = place.open();
    await workspace.capture();
    rmSync(place.path("d"), { recursive: true });
    renameSync(place.path("e"), place.path("d"));
    const { changes } = await workspace.capture();
    expect(changes.map(({ path, before, after }) => [path, before?.kind, after?.kind])).toEqual([
      ["d/a", "file", undefined],
      ["d/b", undefined, "file"],
      ["e/b", "file", undefined],
    ]);
  });

  test("continues from captures made before the process ended", async () => {
    const place = temporary();
    place.write("a", "one");
    place.write("b/c", "two");
    const before = place.open();
    const first = await before.capture();
    await place.close(before);
    place.write("b/c", "three");
    rmSync(place.path("a"));
    const second = await place.open().capture();
    expect(second.parent).toBe(first.id);
    expect(second.changes.map(({ path }) => path)).toEqual(["a", "b/c"]);
  });

  test("two openings of one workspace each see all changes since their own last capture", async () => {
    const place = temporary();
    place.write("a", "one");
    const one = place.open();
    await one.capture();
    const other = place.open();
    place.write("b", "two");
    expect((await other.capture()).changes.map(({ path }) => path)).toEqual(["b"]);
    place.write("c", "three");
    expect((await one.capture()).changes.map(({ path }) => path)).toEqual(["b", "c"]);
  });
});

describe("safety", () => {
  test("never touches the user's own repository", async () => {
    const place = temporary();
    execFileSync("git", ["init", "-q", place.root], { env: gitEnvironment });
    place.write("a", "a");
    execFileSync("git", ["-C", place.root, "add", "a"], { env: gitEnvironment });
    const look = () =>
      readdirSync(place.path(".git"), { recursive: true, encoding: "utf8" })
        .sort()
        .map((name) => `${name} ${statSync(join(place.path(".git"), name)).mtimeMs}`);
    const before = look();
    await place.open().capture();
    expect(look()).toEqual(before);
    expect(readdirSync(place.root).sort()).toEqual([".git", "a"]);
  });

  test("a capture reports progress and can be cancelled; nothing is saved, and the next one is complete", async () => {
    const place = temporary();
    for (let index = 0; index < 3000; index += 1) place.write(`d${index % 30}/f${index}`, `${index}`.repeat(500));
    const workspace = place.open();
    const controller = new AbortController();
    const seen: number[] = [];
    const cancelled = workspace.capture({
      signal: controller.signal,
      onProgress: ({ files }) => {
        seen.push(files);
        controller.abort();
      },
    });
    await expect(cancelled).rejects.toMatchObject({ code: "cancelled" });
    expect(seen.length).toBeGreaterThan(0);
    const { receipt, parent } = await workspace.capture();
    expect(parent).toBeUndefined();
    expect(receipt.files).toBe(3000);
    await expect(workspace.capture({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "cancelled" });
  });

  test("a missing workspace is an error, not an empty capture", async () => {
    const place = temporary();
    place.write("a", "a");
    const workspace = place.open();
    await workspace.capture();
    rmSync(place.root, { recursive: true });
    await expect(workspace.capture()).rejects.toMatchObject({ code: "refused-root" });
    mkdirSync(place.root);
    expect(existsSync(place.root)).toBe(true);
    expect((await workspace.capture()).changes).toMatchObject([{ path: "a", before: { kind: "file" } }]);
  });

  test("only the owner can read the store", async () => {
    const place = temporary();
    place.write("a", readFileSync(new URL(import.meta.url)));
    const workspace = place.open();
    await workspace.capture();
    expect(statSync(join(place.store, "retake.db")).mode & 0o077).toBe(0);
    expect(statSync(join(place.store, "packs")).mode & 0o077).toBe(0);
  });
});
