import type { Moment, ReadSegment, ThreadOutcome } from "../after-answer.ts";
import type { SegmentEnvelope } from "../segment.ts";
import type { SyncAnswer, SyncCall, SyncInput } from "../sync-calls.ts";
import type { SyncOutcome } from "../sync-http.ts";
import { NEW_THREAD, type ThreadStep, type ThreadSync } from "../thread-sync.ts";
import { afterRewind, NEW_VAULT, type VaultOutcome, vaultAfter } from "../vault-sync.ts";
import type { ModelOperations } from "./model-operations.ts";
import type { Rules } from "./model-rules.ts";
import { type ModelRequest, VAULT } from "./model-server.ts";
import { isPrivate, type ModelDevice, type ModelThread, type RequestId, type Waiting } from "./model-state.ts";
import { segment } from "./segments.ts";

/** The lane of the list of changes. */
export const LANE = "changes";

export interface Surroundings extends Moment {
  readonly rules: Rules;
  readonly operations: ModelOperations;
  /** A number that was not used before. */
  readonly id: number;
  /** How many operations a segment holds at most. */
  readonly segment: number;
}

export function newDevice(name: string, kid: string): ModelDevice {
  return { name, kid, vault: NEW_VAULT, threads: new Map(), made: 0, waiting: new Map() };
}

const EMPTY: ModelThread = { known: new Set(), head: null, outbox: [], sync: NEW_THREAD };

/** The user changes a thread, or makes one: the operation and its outbox row are one transaction. */
export function work(device: ModelDevice, id: string, { rules, operations }: Surroundings): ModelDevice {
  const thread = device.threads.get(id) ?? EMPTY;
  const kind = isPrivate(id) ? "x" : "o";
  const what = thread.head === null ? `${kind}: root of ${id}` : `${kind}: ${device.name} ${device.made}`;
  const { id: made } = operations.make(what, thread.head === null ? [] : [thread.head]);
  const outbox = rules.queues(id, device.made) ? [...thread.outbox, made] : thread.outbox;
  const next = { ...thread, known: new Set(thread.known).add(made), head: made, outbox };
  return { ...withThread(device, id, next), made: device.made + 1 };
}

/** Begins the next step of a lane. A merge is done at once; the others send a request. */
export function begin(
  device: ModelDevice,
  lane: string,
  at: Surroundings,
): { readonly device: ModelDevice; readonly request?: ModelRequest } | undefined {
  const { rules, now, operations } = at;
  if (device.waiting.has(lane) || device.vault.stop) return undefined;
  const { seen } = device.vault;
  if (lane === LANE) {
    if (!rules.isDue(device.vault.poll, now)) return undefined;
    const { cursor } = device.vault;
    const input = { vault: VAULT, seen, ...(cursor && { since: cursor }) };
    return send(device, lane, { id: at.id, call: "listChanges" }, input);
  }
  const thread = device.threads.get(lane) ?? EMPTY;
  const step = rules.nextStep(thread.sync, { pending: thread.outbox.length > 0, now });
  const inThread = { vault: VAULT, thread: lane, seen };
  switch (step.kind) {
    case "register": {
      const input = { ...inThread, kid: device.kid, wrapped_key: "AAAA" };
      return send(device, lane, { id: at.id, call: "registerThread" }, input);
    }
    case "pull":
      return send(device, lane, { id: at.id, call: "pullSegments", step }, { ...inThread, after: step.after });
    case "push": {
      const chosen = thread.outbox.slice(0, at.segment);
      const names = chosen.map((each) => `blob-${each}`);
      const { kid, name } = device;
      const envelope = { id: `s${at.id}`, vault: VAULT, thread: lane, device: name, kid, blobs: names };
      const push = {
        ...inThread,
        segment: segment(
          chosen.map((each) => operations.inSegment(each)),
          envelope,
        ),
      };
      const sending = rules.onSend(device, lane, chosen);
      return send(sending, lane, { id: at.id, call: "checkBlobs", push }, { vault: VAULT, names });
    }
    case "merge":
      return { device: merge(device, lane, thread, at) };
    default:
      return undefined;
  }
}

/** Takes in what a request led to. Answers the values that are stored one after the other, and the next request. */
export function receive(
  device: ModelDevice,
  lane: string,
  answered: RequestId,
  outcome: SyncOutcome<SyncCall>,
  at: Surroundings,
): { readonly stored: readonly ModelDevice[]; readonly request?: ModelRequest } {
  const waiting = device.waiting.get(lane);
  if (!waiting || !at.rules.isAwaited(waiting, answered)) return { stored: [] };
  const rest = new Map(device.waiting);
  rest.delete(lane);
  const free = { ...device, waiting: rest };
  const next = (step: Omit<Waiting, "id">, input: SyncInput<SyncCall>) => {
    const sent = send(free, lane, { ...step, id: at.id }, input);
    return { stored: [sent.device], request: sent.request };
  };
  const { call, push } = waiting;
  const { rules } = at;
  if (call === "listChanges") {
    const list = outcome as SyncOutcome<"listChanges">;
    const after = rules.afterChanges(device.vault, syncsOf(device), waiting.seen ?? [], list, at);
    return { stored: rules.transactions(free, storeAll(free, after)) };
  }
  const thread = device.threads.get(lane) ?? EMPTY;
  if (push && outcome.kind === "answer" && call === "checkBlobs") {
    const { missing } = outcome.answer as SyncAnswer<"checkBlobs">;
    if (missing.length > 0) {
      const rest = { kid: device.kid, digest: "", bytes: new Uint8Array() };
      return next({ call: "putPack", push }, { vault: VAULT, pack: missing.join("+"), ...rest });
    }
    return next({ call: "pushSegment", push }, push);
  }
  if (push && outcome.kind === "answer" && call === "putPack") return next({ call: "pushSegment", push }, push);
  if (push) {
    const { envelope } = push.segment;
    const sent = { segment: envelope.id, operations: envelope.operations.map((each) => each.id) };
    const after = rules.afterPush(thread.sync, sent, outcome as SyncOutcome<"pushSegment">, at);
    return { stored: rules.transactions(free, store(free, lane, after, waiting.seen)) };
  }
  if (call === "registerThread") {
    const after = rules.afterRegister(thread.sync, outcome as SyncOutcome<"registerThread">, at);
    return { stored: rules.transactions(free, store(free, lane, after, waiting.seen)) };
  }
  const pulled = outcome as SyncOutcome<"pullSegments">;
  const envelopes = pulled.kind === "answer" ? pulled.answer.segments.map((each) => each.envelope) : [];
  const read = readAll(device.name, thread, envelopes);
  const after = rules.afterPull(thread.sync, waiting.step as Extract<ThreadStep, { kind: "pull" }>, pulled, read, at);
  const brought = read.slice(0, after.store).flatMap((each) => (each.kind === "read" ? each.operations : []));
  return { stored: rules.transactions(free, adopt(store(free, lane, after, waiting.seen, brought), lane, at)) };
}

/** The device gives up waiting, or it cannot reach the server. The server may have done it or not. */
export const NO_ANSWER: SyncOutcome<SyncCall> = { kind: "no-answer", message: "cut" };

function send(device: ModelDevice, lane: string, waiting: Waiting, input: SyncInput<SyncCall>) {
  const request: ModelRequest = { device: device.name, call: waiting.call, input };
  const { seen = [] } = input as { readonly seen?: readonly string[] };
  return { device: { ...device, waiting: new Map(device.waiting).set(lane, { ...waiting, seen }) }, request };
}

/** Everything that an outcome says, as one transaction. */
function store(
  device: ModelDevice,
  id: string,
  outcome: ThreadOutcome,
  sent: readonly string[] = [],
  brought: readonly string[] = [],
): ModelDevice {
  if (outcome.rewound) return storeAll(device, afterRewind(syncsOf(device)));
  const thread = device.threads.get(id) ?? EMPTY;
  const known = brought.length > 0 ? new Set([...thread.known, ...brought]) : thread.known;
  const queue = outcome.requeue ? [...known] : thread.outbox;
  const gone = new Set(outcome.confirm);
  const outbox = gone.size > 0 ? queue.filter((each) => !gone.has(each)) : queue;
  const next = withThread(device, id, { ...thread, known, outbox, sync: outcome.thread });
  return { ...next, vault: vaultAfter(next.vault, sent, outcome) };
}

function storeAll(device: ModelDevice, { vault, threads }: VaultOutcome): ModelDevice {
  const all = [...threads].reduce((made, [thread, each]) => store(made, thread, each), device);
  return { ...all, vault };
}

/** The states of all threads that sync has to do with. */
function syncsOf(device: ModelDevice): Map<string, ThreadSync> {
  const all = [...device.threads].filter(([, { sync }]) => sync !== NEW_THREAD);
  return new Map(all.map(([thread, { sync }]) => [thread, sync]));
}

function readAll(device: string, thread: ModelThread, envelopes: readonly SegmentEnvelope[]): ReadSegment[] {
  const known = new Set(thread.known);
  return envelopes.map((envelope) => {
    for (const { id, parents } of envelope.operations) {
      if (parents.some((parent) => !known.has(parent)))
        return { kind: "unreadable", code: "unknown-parents", message: "" };
      known.add(id);
    }
    return { kind: "read", operations: envelope.operations.map(({ id }) => id), own: envelope.device === device };
  });
}

/** Moves the thread forward when it has all segments. */
function adopt(device: ModelDevice, id: string, { rules, operations }: Surroundings): ModelDevice {
  const thread = device.threads.get(id) ?? EMPTY;
  const { pulled, last_seq, heads } = thread.sync;
  if (pulled !== last_seq || heads.some(({ operation }) => !thread.known.has(operation))) return device;
  const head = rules.headToAdopt(operations, thread.head, heads);
  return head === undefined ? device : withThread(device, id, { ...thread, head });
}

function merge(device: ModelDevice, id: string, thread: ModelThread, { rules, operations }: Surroundings): ModelDevice {
  const heads = rules.mergeOrder(thread.sync.heads, thread.head ?? "");
  const { head, operations: made } = operations.merge(heads, rules.mergeName(device.name));
  const fresh = made.map((each) => each.id).filter((each) => !thread.known.has(each));
  const known = new Set([...thread.known, ...fresh]);
  const sync = rules.afterMerge(thread.sync);
  return withThread(device, id, { known, head, outbox: [...thread.outbox, ...fresh], sync });
}

function withThread(device: ModelDevice, id: string, thread: ModelThread): ModelDevice {
  return { ...device, threads: new Map(device.threads).set(id, thread) };
}
