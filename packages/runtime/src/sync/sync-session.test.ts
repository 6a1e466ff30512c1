import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SyncAnswer } from "@retake/core/sync";
import { expect, test } from "vitest";
import { openDatabase } from "../store/open-database.ts";
import { SyncSession } from "./sync-session.ts";

test("[L6] a list of changes with nothing but what the device knows is no news", async () => {
  const directory = mkdtempSync(join(tmpdir(), "retake-session-"));
  const database = openDatabase(join(directory, "retake.db"));
  const answers: SyncAnswer<"listChanges">[] = [];
  const session = new SyncSession({
    part: { directory, database } as never,
    identity: { now: () => 1, chance: () => 0 } as never,
    access: { vault: "v", unwrap: () => "key" } as never,
    call: (async () => ({ kind: "answer", answer: answers.shift() })) as never,
    isJoined: () => true,
    onStep: () => undefined,
  });
  const listed = (change: string, last_seq: number) => {
    const heads = [{ operation: `o${last_seq}`, seq: last_seq }];
    const threads = last_seq === 0 ? [] : [{ thread: "t", last_seq, heads, wrapped_key: "AAAA", deleted: false }];
    answers.push({ threads, next: change, more: false, change });
    return session.poll(0);
  };
  try {
    expect(await listed("1.a", 1)).toEqual({ more: false, isNews: true });
    expect(await listed("2.b", 1)).toEqual({ more: false, isNews: false });
    expect(await listed("2.b", 0)).toEqual({ more: false, isNews: false });
    expect(await listed("3.c", 2)).toEqual({ more: false, isNews: true });
  } finally {
    session.close();
    database.close();
    rmSync(directory, { recursive: true });
  }
});
