import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockWorkspace } from "./workspace-lock.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "retake-lock-"));
  for (const name of ["one", "two", "state"]) mkdirSync(join(directory, name));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const lock = (name: string) => lockWorkspace(join(directory, "state"), join(directory, name));

test("a workspace can be locked once, also within one process, and independently of others", () => {
  const held = lock("one");
  expect(held?.held).toBe(true);
  expect(lock("one")).toBeUndefined();
  const other = lock("two");
  expect(other?.held).toBe(true);
  held?.release();
  expect(held?.held).toBe(false);
  const again = lock("one");
  expect(again?.held).toBe(true);
  again?.release();
  other?.release();
});

test("a released lock is kept until pending work has ended, successfully or not", async () => {
  const held = lock("one");
  const ends: (() => void)[] = [];
  held?.keepFor(new Promise<void>((resolve) => ends.push(resolve)));
  held?.keepFor(new Promise((_, reject) => ends.push(() => reject(new Error("the disk is broken")))));
  const free = held?.release();
  for (const end of ends) {
    expect([held?.held, lock("one")]).toEqual([true, undefined]);
    end();
  }
  await free;
  const again = lock("one");
  expect([held?.held, again?.held]).toEqual([false, true]);
  again?.release();
});

test("a second request in the process that holds it does not let other processes in", () => {
  const held = lock("one");
  expect(lock("one")).toBeUndefined();
  const script = `
    const { lockWorkspace } = await import(${JSON.stringify(join(import.meta.dirname, "workspace-lock.ts"))});
    const lock = lockWorkspace(${JSON.stringify(join(directory, "state"))}, ${JSON.stringify(join(directory, "one"))});
    console.log(lock ? "locked" : "refused");
  `;
  const other = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(other.stdout.trim()).toBe("refused");
  held?.release();
});

test("[X9] a killed process releases it", async () => {
  const script = `
    const { lockWorkspace } = await import(${JSON.stringify(join(import.meta.dirname, "workspace-lock.ts"))});
    globalThis.lock = lockWorkspace(${JSON.stringify(join(directory, "state"))}, ${JSON.stringify(join(directory, "one"))});
    console.log(globalThis.lock ? "locked" : "refused");
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = await once(child.stdout, "data");
  expect(String(said).trim()).toBe("locked");
  expect(lock("one")).toBeUndefined();
  child.kill("SIGKILL");
  await once(child, "exit");
  const held = lock("one");
  expect(held?.held).toBe(true);
  held?.release();
  expect(readdirSync(join(directory, "state", "locks")).filter((name) => !name.endsWith(".lock"))).toEqual([]);
});
