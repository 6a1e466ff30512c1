/** A store of version 0.1.0 opens when one of its threads is damaged: that thread is put aside, and nothing of it is lost. */
import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { decode, hashOperation, operationV1 } from "@retake/core";
import { Garbage, StoreError } from "@retake/workspace";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { examine } from "../doctor/examine.ts";
import { importFile } from "../exchange/exchange.ts";
import { openStoreAndWorkspace, type Workspace } from "../workspace/open-workspace.ts";
import { directories } from "./directories.ts";
import { openStore } from "./open-store.ts";

const fixture = join(import.meta.dirname, "fixtures", "0.1.0");
const { threads } = JSON.parse(gunzipSync(readFileSync(join(fixture, "expected.json.gz"))).toString()) as {
  readonly threads: Readonly<Record<string, { readonly id: string }>>;
};
const damagedId = threads["files"]?.id ?? "";
const otherId = threads["takes"]?.id ?? "";

type Row = Record<string, SQLOutputValue>;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "retake-damaged-"));
  execFileSync("tar", ["-xzf", join(fixture, "store.tar.gz"), "-C", folder]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Damages of a thread's log, each with the expected message. */
const DAMAGES: Readonly<Record<string, readonly [(database: DatabaseSync, middle: Row) => void, RegExp]>> = {
  "an operation that is no JSON": [
    (database, { id }) => database.prepare("UPDATE operations SET body = '{' WHERE id = ?").run(id as string),
    /operation \S+ is not readable/,
  ],
  "an operation whose content was changed": [
    (database, { id }) =>
      database
        .prepare("UPDATE operations SET body = json_set(body, '$.description', 'Changed') WHERE id = ?")
        .run(id as string),
    /the content of operation \S+ is not what was committed/,
  ],
  "an operation whose hash was changed": [
    (database, { id }) => database.prepare("UPDATE operations SET hash = x'00' WHERE id = ?").run(id as string),
    /the content of operation \S+ is not what was committed/,
  ],
  "an operation that is missing": [
    (database, { id }) => database.prepare("DELETE FROM operations WHERE id = ?").run(id as string),
    /operation \S+ follows \S+, which is missing/,
  ],
  "a last operation that is missing": [
    (database) =>
      database.prepare("DELETE FROM operations WHERE id = (SELECT head FROM threads WHERE id = ?)").run(damagedId),
    /its last operation \S+ is missing/,
  ],
  "operations of which none is left": [
    (database) => database.prepare("DELETE FROM operations WHERE thread = ?").run(damagedId),
    /its last operation \S+ is missing/,
  ],
  "operations that are what was committed and do not fit together": [
    (database, { id }) => changeAndHash(database, String(id)),
    /operation \S+ does not fit those before it/,
  ],
};

describe.each(Object.entries(DAMAGES))("a 0.1.0 store with %s", (label, [damage, problem]) => {
  const home = () => join(folder, label.replaceAll(" ", "-"));
  let kept: Row[];
  beforeAll(() => {
    cpSync(join(folder, "home"), home(), { recursive: true });
    const database = new DatabaseSync(join(home(), "data", "retake.db"));
    const rows = database.prepare("SELECT * FROM operations WHERE thread = ? ORDER BY sequence").all(damagedId);
    damage(database, rows[Math.floor(rows.length / 2)] as Row);
    kept = database.prepare("SELECT * FROM operations WHERE thread = ? ORDER BY sequence").all(damagedId);
    database.close();
  });

  test("[S3] [W3] opens with all other threads, names the damaged one and keeps its operations unchanged", () => {
    const store = openStore({ directories: directories({ RETAKE_HOME: home() }), version: "0" });
    const there = store.parts().flatMap(({ threads }) => threads.list().map(({ id }) => id));
    const others = Object.values(threads).map(({ id }) => id);
    expect(there.sort()).toEqual(others.filter((id) => id !== damagedId).sort());
    for (const id of there) expect(store.partOf(id).threads.verify(id)).toEqual([]);
    expect(() => store.partOf(damagedId)).toThrow(StoreError);
    expect(() => store.partOf(damagedId)).toThrow(problem);
    expect(store.shared.database.prepare("SELECT * FROM damaged_operations ORDER BY sequence").all()).toEqual(kept);
    store.close();
    const root = join(folder, "workspace");
    const { problems } = examine({ directories: directories({ RETAKE_HOME: home() }), root, version: "0" });
    expect(problems.filter(({ code }) => code !== "open-to-others")).toEqual([
      { code: "damaged-thread", thread: damagedId, message: expect.stringMatching(problem), repairable: false },
    ]);
    expect(readdirSync(join(home(), "data")).some((name) => name.includes(".before-schema-"))).toBe(true);
  });
});

test("[S3] gc keeps the files of a damaged thread, others can be undone, and a bundle brings the thread back", async () => {
  const home = join(folder, "collected");
  cpSync(join(folder, "home"), home, { recursive: true });
  const root = join(folder, "collected-workspace");
  execFileSync("cp", ["-a", join(folder, "workspace"), root]);
  const database = new DatabaseSync(join(home, "data", "retake.db"));
  const [row] = database.prepare("SELECT * FROM operations WHERE thread = ? ORDER BY sequence").all(damagedId);
  database.prepare("UPDATE operations SET body = body || '}' WHERE id = ?").run(row?.["id"] as string);
  const bodies = database.prepare("SELECT body FROM operations WHERE thread = ?").all(damagedId);
  const named = new Set(bodies.flatMap(({ body }) => String(body).match(/\bcapture-\d+\b/g) ?? []));
  database.prepare("UPDATE workspaces SET root = ?").run(Buffer.from(root));
  database.prepare("UPDATE threads SET workspace_root = ?").run(root);
  database.close();
  const workspace: Workspace = openStoreAndWorkspace({
    directories: directories({ RETAKE_HOME: home }),
    root,
    version: "0",
  });
  expect(await workspace.collectGarbage({ turns: 1, days: 0 })).toMatchObject({ kind: "collected" });
  expect(await workspace.undo(otherId, { count: 1 })).toMatchObject({ kind: "done" });
  expect(workspace.store.thread(damagedId)).toBeUndefined();
  expect(workspace.store.damageOf(damagedId)?.message).toContain("is not readable");
  const bundle = readFileSync(join(fixture, "files.bundle"));
  expect(await importFile(workspace, bundle)).toMatchObject({ kind: "imported", threads: [damagedId] });
  await workspace.close();
  const problems = examine({ directories: directories({ RETAKE_HOME: home }), root, version: "0" }).problems;
  expect(problems.filter(({ code }) => code !== "open-to-others")).toEqual([]);
  const store = openStore({ directories: directories({ RETAKE_HOME: home }), version: "0" });
  const left = new Set<string>(new Garbage(store.shared.database).captureIds());
  const name = store.shared.database.prepare("SELECT name FROM capture_names WHERE old = ?");
  expect(named.size).toBeGreaterThan(3);
  for (const old of named) expect(left, old).toContain(name.get(old)?.["name"]);
  store.close();
});

/** Makes an operation say what cannot have happened, with hashes that fit, from it to the last. */
function changeAndHash(database: DatabaseSync, id: string): void {
  const hashes = new Map<string, string>();
  const rows = database.prepare("SELECT * FROM operations WHERE thread = ? ORDER BY sequence").all(damagedId);
  for (const row of rows) {
    const body = JSON.parse(String(row["body"]));
    const change = { kind: "update", id: "nobody/entry:none", fields: { content: { before: "a", after: "b" } } };
    if (row["id"] === id) body.diff.changes.push(change);
    const read = decode(operationV1, body);
    if (read.kind === "unreadable") throw new Error(read.message);
    const parents = read.value.parents.map((parent) => hashes.get(parent) ?? "");
    const digest = hashOperation(read.value, parents, (text) => hash("sha256", text));
    hashes.set(String(row["id"]), digest);
    database
      .prepare("UPDATE operations SET body = ?, hash = ? WHERE id = ?")
      .run(JSON.stringify(body), Buffer.from(digest, "hex"), String(row["id"]));
  }
}
