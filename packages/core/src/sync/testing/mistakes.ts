import { changeOf } from "../decide-changes.ts";
import { decidePush } from "../decide-push.ts";
import { nextStep } from "../thread-sync.ts";
import { RULES, type Rules } from "./model-rules.ts";
import type { ModelDevice, ModelThread } from "./model-state.ts";

/** Deliberate mistakes, each in one rule. The model must find every one of them. */
export const MISTAKES: Readonly<Record<string, Partial<Rules>>> = {
  "an operation is committed without its outbox row": { queues: (_, made) => made % 5 !== 4 },
  "an operation of a private thread is queued": { queues: () => true },
  "the outbox is emptied when a push is sent": {
    onSend: (device, id, operations) => {
      const thread = device.threads.get(id);
      if (!thread) return device;
      const outbox = thread.outbox.filter((each) => !operations.includes(each));
      return { ...device, threads: new Map(device.threads).set(id, { ...thread, outbox }) };
    },
  },
  "the cursor of a thread is stored before its segments": {
    transactions: (before, after) => [earlier(before, after, (was, now) => ({ ...was, sync: now.sync })), after],
  },
  "the outbox is emptied before the segments are stored": {
    transactions: (before, after) => [
      earlier(before, after, (was, now) => ({ ...now, known: was.known, head: was.head })),
      after,
    ],
  },
  "the cursor of the vault is stored before the threads that it names": {
    transactions: (before, after) => [{ ...before, vault: after.vault }, after],
  },
  "a merge takes its own line as the main one": {
    mergeOrder: (heads, ours) => {
      const others = heads.map(({ operation }) => operation).filter((each) => each !== ours);
      return others.length < heads.length ? [ours, ...others] : others;
    },
  },
  "a merge has an id by chance": { mergeName: (device) => `merge by ${device}` },
  "a device that only reads merges": {
    nextStep: (thread, at) => nextStep({ ...thread, merge: true }, at),
  },
  "a device that pushed does not merge": {
    afterPush: (...args) => {
      const outcome = RULES.afterPush(...args);
      return { ...outcome, thread: { ...outcome.thread, merge: false } };
    },
    afterPull: (...args) => {
      const outcome = RULES.afterPull(...args);
      return { ...outcome, thread: { ...outcome.thread, merge: false } };
    },
  },
  "a push moves the cursor over segments of others": {
    afterPush: (thread, sent, outcome, at) => {
      const after = RULES.afterPush(thread, sent, outcome, at);
      if (outcome.kind !== "answer") return after;
      return { ...after, thread: { ...after.thread, pulled: Math.max(thread.pulled, outcome.answer.seq) } };
    },
  },
  "a refused push counts as confirmed": {
    afterPush: (thread, sent, outcome, at) => {
      const after = RULES.afterPush(thread, sent, outcome, at);
      return outcome.kind === "refused" ? { ...after, confirm: sent.operations } : after;
    },
  },
  "a server that lost data is not noticed": { decideSeen: () => undefined },
  "a cursor has no mark": {
    decideSeen: (seen, markOf) =>
      RULES.decideSeen(
        seen.filter((cursor) => markOf(changeOf(cursor)) === undefined),
        markOf,
      ),
  },
  "a device sends only how far it has read the list of changes": {
    decideSeen: (seen, markOf) => RULES.decideSeen(seen.slice(-1), markOf),
  },
  "a device waits as long as a wrong clock said": {
    nextStep: impatient,
    isDue: ({ next_try }, now) => next_try <= now,
  },
  "the server stores a segment without its parents": {
    decidePush: (segment, facts) => {
      const known = { tag: "", seq: 0, segment: "" };
      const parents = segment.envelope.operations.flatMap((each) => each.parents);
      return decidePush(segment, {
        ...facts,
        known: new Map([...parents.map((id) => [id, known] as const), ...facts.known]),
      });
    },
  },
  "the server stores a segment without its blobs": {
    decidePush: (segment, facts) => decidePush(segment, { ...facts, blobs: new Set(segment.envelope.blobs) }),
  },
  "the server stores a repeated segment again": {
    decidePush: (segment, facts) => {
      const own = new Set(segment.envelope.operations.map(({ id }) => id));
      return decidePush(segment, { ...facts, known: new Map([...facts.known].filter(([id]) => !own.has(id))) });
    },
  },
  "the server keeps the heads that a segment follows": {
    decidePush: (segment, facts) => {
      const decision = decidePush(segment, facts);
      if (decision.kind !== "store") return decision;
      const heads = [...(facts.row?.heads ?? []), ...decision.answer.heads.slice(-1)];
      return { ...decision, answer: { ...decision.answer, heads } };
    },
  },
  "the server takes a segment with another key": {
    decideKey: () => undefined,
    decidePush: (segment, facts) => decidePush(segment, { ...facts, kid: segment.envelope.kid }),
  },
  "the server refuses a push of a device that is behind": {
    decidePush: (segment, facts) => {
      const decision = decidePush(segment, facts);
      if (decision.kind !== "store" || decision.answer.heads.length === 1) return decision;
      return { kind: "refused", code: "unavailable", message: "stale" };
    },
  },
};

/** A device that has stored only a part of an outcome. */
function earlier(
  before: ModelDevice,
  after: ModelDevice,
  part: (was: ModelThread, now: ModelThread) => ModelThread,
): ModelDevice {
  const threads = [...after.threads].flatMap(([id, now]) => {
    const was = before.threads.get(id);
    return was ? [[id, part(was, now)] as const] : [];
  });
  return { ...before, threads: new Map(threads) };
}

/** The next step without the guard against wrong clocks. */
function impatient(...[thread, at]: Parameters<typeof nextStep>): ReturnType<typeof nextStep> {
  const step = nextStep(thread, at);
  if (step.kind === "pull" && thread.pull.next_try > at.now) return { kind: "wait", until: thread.pull.next_try };
  if ((step.kind === "push" || step.kind === "register") && thread.push.next_try > at.now)
    return { kind: "wait", until: thread.push.next_try };
  return step;
}
