import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { connect } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { fileSchema } from "../file-schema.ts";
import { ObjectStore } from "./object-store.ts";

let folder: string;
let database: Database;
let store: ObjectStore;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retake-objects-"));
  database = connect(join(folder, "store.db"), fileSchema);
  store = new ObjectStore(database, join(folder, "packs"));
});
afterEach(() => {
  store.close();
  database.close();
  rmSync(folder, { recursive: true });
});

function reopen(): void {
  store.close();
  database.close();
  database = connect(join(folder, "store.db"), fileSchema);
  store = new ObjectStore(database, join(folder, "packs"));
}

test("an object's id is that of git's SHA-256 format", () => {
  expect(store.write(Buffer.from("hello\n"))).toBe("2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4");
});

test("another connection reads a flushed object, before and after settling", () => {
  const content = randomBytes(5000);
  const hash = store.write(content);
  store.flush();
  reopen();
  expect(store.read(hash, "f")).toEqual(content);
  expect(store.settle()).toBe(false);
  reopen();
  expect(store.read(hash, "f")).toEqual(content);
});

test("unflushed objects are gone after a crash", () => {
  const hash = store.write(randomBytes(2_000_000));
  reopen();
  expect(() => store.read(hash, "src/a.ts")).toThrow(/'src\/a\.ts' is missing/);
});

test("many objects at once are stored in packs and can be read", () => {
  const contents = Array.from({ length: 300 }, (_, index) => Buffer.from(`${index} `.repeat(3000 + index)));
  const hashes = contents.map((content) => store.write(content));
  store.flush();
  reopen();
  hashes.forEach((hash, index) => {
    expect(store.read(hash, "f")).toEqual(contents[index]);
  });
});

test("reading an object decompresses little besides it", () => {
  for (let index = 0; index < 1000; index += 1) store.write(Buffer.from(`${index} `.repeat(300)));
  store.flush();
  const row = database.prepare("SELECT max(size) AS largest FROM blocks").get();
  expect(Number(row?.["largest"])).toBeLessThan(70_000);
});

test("many objects are read in the requested order, wherever each is stored", () => {
  const contents = Array.from({ length: 150 }, (_, index) => Buffer.from(`${index} `.repeat(3000 + index)));
  const packed = contents.map((content) => store.write(content));
  store.flush();
  const loose = store.write(Buffer.from("loose"));
  store.flush();
  const pending = store.write(Buffer.from("pending"));
  const hashes = [pending, ...packed.toReversed(), loose, packed[7] ?? ""];
  const wanted = hashes.map((hash) => ({ hash, path: "f" }));
  const texts = [...store.readEach(wanted)].map(String);
  expect(texts).toEqual(["pending", ...contents.toReversed().map(String), "loose", String(contents[7])]);
  const missing = store.readEach([{ hash: "00".repeat(32), path: "src/a.ts" }]);
  expect(() => missing.next()).toThrow(/'src\/a\.ts' is missing/);
});

test("an object that gets another place after it was looked up is read from there", () => {
  const contents = [0, 1].map((index) => randomBytes(700_000).fill(index, 0, 10));
  const hashes = contents.map((content) => store.write(content));
  store.flush();
  reopen();
  const reading = store.readEach(hashes.map((hash) => ({ hash, path: "f" })));
  expect(reading.next().value).toEqual(contents[0]);
  // As when garbage collection drops the block and another process stores the object again.
  const other = connect(join(folder, "store.db"), fileSchema);
  other.transaction(() => {
    other.run("UPDATE blocks SET id = id + 100");
    other.run("UPDATE objects SET block = block + 100");
  });
  other.close();
  expect(reading.next().value).toEqual(contents[1]);
});

test("200 versions of a file take little more space than one, in chains of any length", () => {
  let text = randomBytes(60_000).toString("base64");
  let before: string | undefined;
  const versions: [string, string][] = [];
  for (let turn = 0; turn < 200; turn += 1) {
    const at = (turn * 331) % text.length;
    text = `${text.slice(0, at)}edit ${turn};${text.slice(at + 3)}`;
    before = store.write(Buffer.from(text), before);
    versions.push([before, text]);
    store.flush();
    if (turn % 30 === 0) store.settle();
  }
  store.settle();
  reopen();
  for (const [hash, content] of versions) expect(store.read(hash, "f").toString()).toBe(content);
  const row = database.prepare("SELECT sum(length) AS stored, max(depth) AS depth FROM blocks").get();
  expect(Number(row?.["stored"])).toBeLessThan(150_000);
  expect(Number(row?.["depth"])).toBeLessThanOrEqual(24);
});

test("a damaged object gives an error that names the file, never a missing file", () => {
  const content = randomBytes(3_000_000);
  const hash = store.write(content);
  store.flush();
  const pack = join(folder, "packs", readdirSync(join(folder, "packs"))[0] ?? "");
  truncateSync(pack, 100);
  reopen();
  expect(() => store.read(hash, "src/a.ts")).toThrow(/'src\/a\.ts' is damaged/);
});

test("flush joins the caller's transaction: a rollback removes the objects too", () => {
  let hash = "";
  expect(() =>
    database.transaction(() => {
      hash = store.write(Buffer.from("content"));
      store.flush();
      throw new Error("no");
    }),
  ).toThrow("no");
  expect(store.has(hash)).toBe(false);
  store.write(Buffer.from("content"));
  store.flush();
  expect(store.read(hash, "f").toString()).toBe("content");
});
