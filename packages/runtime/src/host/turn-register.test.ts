import { mkdtempSync, readdirSync, readFileSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { TurnRegister } from "./turn-register.ts";

const state = mkdtempSync(join(tmpdir(), "retake-register-"));
afterAll(() => rmSync(state, { recursive: true }));

test("[F67] a turn is in the register whole or not at all", async () => {
  const register = new TurnRegister(state);
  const first = register.add("/work", { turn: "first", thread: "T-1" }, () => {});
  const [folder = ""] = readdirSync(join(state, "turns"));
  // The first event about the new name: a file that is written in place is empty or in part then.
  const seen: string[] = [];
  const watcher = watch(join(state, "turns", folder), (event, name) => seen.push(`${event} ${name}`));
  const second = register.add("/work", { turn: "second", thread: "T-2" }, () => {});
  while (!seen.some((each) => each.endsWith("second"))) await sleep(5);
  watcher.close();
  expect(seen.filter((each) => each.startsWith("change"))).toEqual([]);
  expect(JSON.parse(readFileSync(join(state, "turns", folder, "second"), "utf8"))).toMatchObject({ thread: "T-2" });
  expect(register.askToStop("/work", undefined).map(({ turn }) => turn)).toEqual(["first", "second"]);
  for (const each of [first, second]) each.remove();
  expect(readdirSync(join(state, "turns", folder))).toEqual([]);
  expect(readdirSync(join(state, "turns"))).toEqual([folder]);
});
