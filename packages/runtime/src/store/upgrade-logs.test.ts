import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { decode, encode, LogUpgrade, MemoryHistory, operationFormat, operationV1 } from "@retake/core";
import { commonOf, commonOfV1, FoldV1 } from "@retake/core/fold-v1";
import { afterAll, beforeAll, expect, test } from "vitest";
import { amount, seeds } from "../../../../testing/budget.ts";
import { openDatabase } from "./open-database.ts";

const archive = join(import.meta.dirname, "fixtures", "0.1.0", "store.tar.gz");
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "retake-upgrade-"));
  execFileSync("tar", ["-xzf", archive, "-C", folder]);
});
afterAll(() => rmSync(folder, { recursive: true }));

test("[S3] [W1] [W2] every operation of a 0.1.0 store has the same meaning after the upgrade", () => {
  const database = new DatabaseSync(join(folder, "home", "data", "retake.db"), { readOnly: true });
  const threads = new Map<string, { old: FoldV1; history: MemoryHistory; upgrade: LogUpgrade }>();
  for (const { thread, body } of database.prepare("SELECT thread, body FROM operations ORDER BY sequence").all()) {
    const known = threads.get(String(thread)) ?? {
      old: new FoldV1(),
      history: new MemoryHistory(),
      upgrade: new LogUpgrade((tree) => tree),
    };
    threads.set(String(thread), known);
    const read = decode(operationV1, JSON.parse(String(body)));
    if (read.kind === "unreadable") throw new Error(read.message);
    const made = known.upgrade.upgrade(known.history, read.value);
    expect(decode(operationFormat, JSON.parse(JSON.stringify(encode(operationFormat, made))))).toMatchObject({
      kind: "decoded",
    });
    known.history.commit(made);
    expect(commonOf(known.history.state), made.id).toEqual(commonOfV1(known.old.apply(read.value), (tree) => tree));
  }
  database.close();
});

test("[S3] [W2] an upgrade killed at any write leaves the store unchanged", () => {
  const whole = upgradeIn("whole.db", Number.POSITIVE_INFINITY);
  expect(whole).toMatchObject({ signal: null, status: 0 });
  const before = left(join("home", "data", "retake.db"));
  expect(before).toMatchObject({ version: 7, whole: "ok", first: before["operations"] });
  const writes = Number(whole.stdout);
  expect(writes).toBeGreaterThan(1000);
  const random = seeds(amount("kills", 2, 40)).map((seed) => 1 + ((seed * 7919) % writes));
  for (const at of [1, ...random, writes]) {
    const file = `killed-${at}.db`;
    expect(upgradeIn(file, at).signal, `write ${at}`).toBe("SIGKILL");
    expect(left(file), `write ${at}`).toEqual(before);
    const database = openDatabase(join(folder, file));
    expect(database.prepare(COUNT).get()).toEqual({ operations: before["operations"], first: 0 });
    database.close();
  }
});

/** Upgrades a copy of the store in a process of its own, which is killed at the n-th write. It prints how many there were. */
function upgradeIn(name: string, at: number) {
  const file = join(folder, name);
  cpSync(join(folder, "home", "data", "retake.db"), file);
  const script = `
    import { StatementSync } from "node:sqlite";
    import { openDatabase } from ${JSON.stringify(new URL("./open-database.ts", import.meta.url).href)};
    const { run } = StatementSync.prototype;
    let writes = 0;
    StatementSync.prototype.run = function (...values) {
      writes += 1;
      if (writes === ${at}) process.kill(process.pid, "SIGKILL");
      return run.apply(this, values);
    };
    openDatabase(${JSON.stringify(file)}).close();
    console.log(writes);`;
  return spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
}

const COUNT = `SELECT count(*) AS operations, sum(body LIKE '%"format_version":1%') AS first FROM operations`;

function left(name: string): Readonly<Record<string, unknown>> {
  const database = new DatabaseSync(join(folder, name));
  const value = (sql: string) => Object.values(database.prepare(sql).get() ?? {})[0];
  const found = { ...database.prepare(COUNT).get(), version: value("PRAGMA user_version") };
  const whole = value("PRAGMA integrity_check");
  database.close();
  return { ...found, whole };
}
