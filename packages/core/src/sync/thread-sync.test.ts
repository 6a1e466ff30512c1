import { describe, expect, test } from "vitest";
import {
  afterAsked,
  afterChange,
  afterFault,
  afterMerge,
  afterPull,
  afterPush,
  afterRegister,
  type ThreadOutcome,
} from "./after-answer.ts";
import { firstForSegment } from "./choose-operations.ts";
import { refuseSync, type SyncRefusalCode } from "./sync-refusal.ts";
import { operation, segment } from "./testing/segments.ts";
import { NEW_THREAD, nextStep, type ThreadStep, type ThreadSync } from "./thread-sync.ts";
import { afterChanges, NEW_VAULT, vaultAfter } from "./vault-sync.ts";

const at = { now: 1000, jitter: 1 };
const heads = (...operations: readonly string[]) =>
  operations.map((each, index) => ({ operation: each, seq: index + 1 }));
const REGISTERED = { wrapped_key: "k", last_seq: 4, heads: heads("a"), change: "4.x" };
const SYNCED: ThreadSync = { ...NEW_THREAD, registered: true, pulled: 2, last_seq: 2, heads: heads("a", "b").slice(1) };
const PULL: Extract<ThreadStep, { kind: "pull" }> = { kind: "pull", after: 2, last_seq: 3 };

describe("the next step", () => {
  const step = (thread: ThreadSync, pending = false, now = 0) => nextStep(thread, { pending, now }).kind;

  test("[L6] registers, pulls, pushes and merges, in this order", () => {
    expect(step(NEW_THREAD)).toBe("idle");
    expect(step(NEW_THREAD, true)).toBe("register");
    expect(step({ ...SYNCED, last_seq: 3 }, true)).toBe("pull");
    expect(step(SYNCED, true)).toBe("push");
    const diverged = { ...SYNCED, heads: heads("a", "b"), merge: true };
    expect(step(diverged, true)).toBe("push");
    expect(step(diverged)).toBe("merge");
  });

  test("[L7] of a device that only reads is a merge only when its user asks for everything", () => {
    expect(step({ ...SYNCED, heads: heads("a", "b") })).toBe("idle");
    expect(step(afterAsked({ ...SYNCED, heads: heads("a", "b") }))).toBe("merge");
    expect(afterAsked(SYNCED)).toBe(SYNCED);
  });

  test("[L6] after a fault of the disk or of data is tried later, and the reason is kept until it succeeds", () => {
    const behind = afterFault({ ...SYNCED, last_seq: 3 }, "The disk is full.", at);
    expect(behind.pull).toMatchObject({ retries: 1, error: { code: "failed", message: "The disk is full." } });
    expect(nextStep(behind, { pending: false, now: at.now })).toMatchObject({ kind: "wait" });
    const ahead = afterFault(SYNCED, "The disk is full.", at);
    expect(ahead.push).toMatchObject({ retries: 1, error: { code: "failed" } });
    expect(ahead.pull).toEqual(SYNCED.pull);
  });

  test("[L6] waits after a failure, and goes on with the other direction meanwhile", () => {
    const thread = { ...SYNCED, last_seq: 3, pull: { retries: 1, next_try: 50 } };
    expect(nextStep(thread, { pending: false, now: 10 })).toEqual({ kind: "wait", until: 50 });
    expect(step(thread, true, 10)).toBe("push");
    expect(step(thread, false, 50)).toBe("pull");
  });

  test("[L6] does not wait ten years after the clock was set back", () => {
    const year = 365 * 24 * 3_600_000;
    expect(step({ ...SYNCED, push: { retries: 1, next_try: 10 * year } }, true, 0)).toBe("push");
  });

  test("[L6] still pushes when a segment cannot be read, and does nothing when all is stopped", () => {
    const stop = { code: "newer-version", message: "" };
    const thread = { ...SYNCED, last_seq: 3 };
    expect(step({ ...thread, stop: { ...stop, of: "pull" } }, true)).toBe("push");
    expect(step({ ...thread, stop: { ...stop, of: "pull" } })).toBe("stopped");
    expect(step({ ...thread, stop: { ...stop, of: "all" } }, true)).toBe("stopped");
  });
});

describe("after a push", () => {
  const sent = { segment: "s", operations: ["c"] };
  const answer = (more: object) =>
    ({
      kind: "answer",
      answer: { segment: "s", seq: 3, last_seq: 3, heads: heads("c"), change: "3.x", ...more },
    }) as const;

  test("[L6] the outbox is emptied, and our own segment needs no pull", () => {
    const { thread, confirm } = afterPush(SYNCED, sent, answer({}), at);
    expect(confirm).toEqual(["c"]);
    expect(nextStep(thread, { pending: false, now: 0 })).toEqual({ kind: "idle" });
  });

  test("[L7] segments of others before ours are pulled, and several heads are merged", () => {
    const { thread } = afterPush(SYNCED, sent, answer({ seq: 4, last_seq: 4, heads: heads("b", "c") }), at);
    expect(thread).toMatchObject({ pulled: 2, last_seq: 4, merge: true });
    expect(nextStep(thread, { pending: false, now: 0 })).toEqual({ kind: "pull", after: 2, last_seq: 4 });
  });

  test("[L7] the segment of another device with the same operations is pulled", () => {
    expect(afterPush(SYNCED, sent, answer({ segment: "other" }), at).thread.pulled).toBe(2);
  });

  test("[L6] without an answer it is tried again, later each time, at most 5 minutes later", () => {
    let thread = SYNCED;
    const pauses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      ({ thread } = afterPush(thread, sent, { kind: "no-answer", message: "cut" }, at));
      pauses.push(thread.push.next_try - at.now);
    }
    expect(pauses.slice(0, 3)).toEqual([1000, 2000, 4000]);
    expect(pauses.at(-1)).toBe(300_000);
    expect(thread.push).toMatchObject({ retries: 12, error: { code: "no-answer", message: "cut" } });
  });

  const refused = (code: SyncRefusalCode, details = {}) =>
    afterPush({ ...SYNCED, merge: true }, sent, refuseSync(code, "words", details), at);

  test.each(["unauthorized", "revoked", "wrong-key", "newer-version"] as const)("[L5] %s stops the vault", (code) => {
    expect(refused(code)).toMatchObject({ confirm: [], stop_vault: { code } });
  });

  test.each(["other-content", "gone", "too-large"] as const)("[L5] %s stops the thread, loudly", (code) => {
    expect(refused(code)).toMatchObject({ confirm: [], thread: { stop: { of: "all", code, message: "words" } } });
  });

  test.each(["quota-exceeded", "unavailable", "server-failure", "invalid-request"] as const)(
    "[L6] %s is tried again",
    (code) => {
      const { thread, requeue } = refused(code);
      expect(thread).toMatchObject({ pulled: 2, push: { retries: 1, error: { code } } });
      expect(requeue).toBe(false);
    },
  );

  test("[L6] Retry-After is waited for", () => {
    expect(refused("too-many-requests", { retry_after_ms: 60_000 }).thread.push.next_try).toBe(62_000);
  });

  test("[L6] a server that lost parents gets everything again that it does not have", () => {
    const { thread, requeue } = refused("missing", { parents: ["a"] });
    expect(requeue).toBe(true);
    expect(nextStep(thread, { pending: true, now: 0 })).toEqual({ kind: "pull", after: 0, last_seq: 0 });
    expect(refused("missing", { parents: [], blobs: ["x"] }).requeue).toBe(false);
  });

  test("[L6] a server that lost the thread gets it again", () => {
    const { thread, requeue } = refused("unknown-thread");
    expect(requeue).toBe(true);
    expect(nextStep(thread, { pending: true, now: 9999 })).toEqual({ kind: "register" });
  });
});

describe("after a pull", () => {
  const answer = (seqs: readonly number[], last_seq = 3) =>
    ({
      kind: "answer",
      answer: {
        segments: seqs.map((seq) => ({ ...segment([operation(`o${seq}`)]), seq })),
        last_seq,
        heads: [{ operation: "c", seq: last_seq }],
        change: "3.x",
      },
    }) as const;
  const read = (...operations: readonly string[]) => ({ kind: "read", operations, own: false }) as const;

  test("[L6] segments and cursor move together, and own operations leave the outbox", () => {
    const outcome = afterPull(SYNCED, PULL, answer([3]), [read("c")], at);
    expect(outcome).toMatchObject({ store: 1, confirm: ["c"], thread: { pulled: 3, last_seq: 3 } });
  });

  test("[L7] a device merges that finds its own segment among several heads: the answer to its push was lost", () => {
    const two = answer([3]);
    const several = { ...two, answer: { ...two.answer, heads: heads("b", "c") } };
    expect(afterPull(SYNCED, PULL, several, [{ ...read("c"), own: true }], at).thread.merge).toBe(true);
    expect(afterPull(SYNCED, PULL, several, [read("c")], at).thread.merge).toBe(false);
  });

  test("[L6] a gap is an error of the server: nothing is stored", () => {
    const outcome = afterPull(SYNCED, PULL, answer([4], 4), [read("d")], at);
    expect(outcome).toMatchObject({ store: 0, thread: { pulled: 2, pull: { retries: 1 } } });
  });

  test.each(["newer-version", "damaged"] as const)(
    "[L6] with a segment that is %s, those before it are stored",
    (code) => {
      const bad = { kind: "unreadable", code, message: "words" } as const;
      const outcome = afterPull(SYNCED, PULL, answer([3, 4, 5], 5), [read("c"), bad], at);
      expect(outcome).toMatchObject({
        store: 1,
        confirm: ["c"],
        thread: { pulled: 3, last_seq: 5, stop: { of: "pull", code } },
      });
    },
  );

  test("[L6] a server with fewer segments than it had gets everything again", () => {
    const outcome = afterPull(SYNCED, PULL, answer([], 1), [], at);
    expect(outcome).toMatchObject({ requeue: true, thread: { pulled: 0, recheck: true } });
  });

  test("[L6] with unknown parents the thread is read from its first segment", () => {
    const bad = { kind: "unreadable", code: "unknown-parents", message: "words" } as const;
    expect(afterPull(SYNCED, PULL, answer([3]), [bad], at).thread).toMatchObject({ pulled: 0, pull: { retries: 1 } });
  });
});

describe("after a list of changes", () => {
  const change = { thread: "t", last_seq: 5, heads: heads("c"), wrapped_key: "k", deleted: false };
  const list = (more: object) =>
    ({ kind: "answer", answer: { threads: [change], next: "5.x", more: false, change: "7.w", ...more } }) as const;

  test("[L5] a new thread is pulled", () => {
    const { vault, threads, keys } = afterChanges(NEW_VAULT, new Map(), [], list({}), at);
    const thread = (threads.get("t") as ThreadOutcome).thread;
    expect(nextStep(thread, { pending: false, now: 0 })).toEqual({ kind: "pull", after: 0, last_seq: 5 });
    expect(vault.cursor).toBe("5.x");
    expect(keys.get("t")).toBe("k");
  });

  test("[L6] an older list than the last answer changes nothing", () => {
    const thread = { ...SYNCED, pulled: 6, last_seq: 6 };
    expect(afterChange(thread, change)).toEqual(thread);
  });

  test("[L6] a server that was restored from an older backup is read from the start, and gets what it lacks", () => {
    const refusal = refuseSync("rewound", "words");
    const vault = { ...NEW_VAULT, cursor: "9.y", seen: ["9.y"] };
    const outcome = afterChanges(vault, new Map([["t", SYNCED]]), ["9.y"], refusal, at);
    expect(outcome.vault).toEqual(NEW_VAULT);
    expect(outcome.threads.get("t")).toMatchObject({ requeue: true, thread: { pulled: 0, recheck: true } });
    expect(afterRegister(SYNCED, refusal, at)).toMatchObject({ rewound: true, thread: SYNCED });
  });

  test("[L7] a merge that another device made needs no second one", () => {
    expect(afterChange({ ...SYNCED, heads: heads("a", "b"), merge: true }, change).merge).toBe(false);
  });

  test("[L5] a deleted thread is kept here and not synced", () => {
    expect(afterChange(SYNCED, { ...change, deleted: true })).toMatchObject({ stop: { of: "all", code: "gone" } });
  });

  test("[L6] an answer replaces the changes that its request carried, and no others", () => {
    const outcome = afterRegister(NEW_THREAD, { kind: "answer", answer: { ...REGISTERED, change: "9.y" } }, at);
    const vault = { ...NEW_VAULT, seen: ["4.x", "8.z"] };
    expect(vaultAfter(vault, ["4.x"], outcome).seen).toEqual(["8.z", "9.y"]);
    expect(afterChanges(vault, new Map(), ["4.x", "8.z"], list({}), at).vault).toMatchObject({
      cursor: "5.x",
      seen: ["7.w"],
    });
  });

  test("[L5] a revoked device stops", () => {
    const { vault } = afterChanges(NEW_VAULT, new Map(), [], refuseSync("revoked", "words"), at);
    expect(vault.stop).toMatchObject({ code: "revoked" });
  });
});

test("[L6] registering keeps the segments that the thread has on the server", () => {
  const { thread } = afterRegister(NEW_THREAD, { kind: "answer", answer: REGISTERED }, at);
  expect(nextStep(thread, { pending: true, now: 0 })).toEqual({ kind: "pull", after: 0, last_seq: 4 });
});

test("[L7] a merge is made once", () => {
  expect(afterMerge({ ...SYNCED, merge: true }).merge).toBe(false);
});

test("[L5] a segment holds at most 200 operations and about 1 MB, and at least one operation", () => {
  const count = (sizes: readonly number[]) => [...firstForSegment(sizes, (size) => size)].length;
  expect(count(new Array(500).fill(10))).toBe(200);
  expect(count([20_000_000, 1])).toBe(1);
  expect(count([500_000, 500_000, 500_000])).toBe(2);
  expect(count([])).toBe(0);
});
