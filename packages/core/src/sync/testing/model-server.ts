import { changeOf, cursorOf } from "../decide-changes.ts";
import { areNew, type KnownOperation, type ServerThread } from "../decide-push.ts";
import { outerParents, type Segment } from "../segment.ts";
import type { SyncAnswer, SyncCall, SyncInput } from "../sync-calls.ts";
import type { SyncOutcome } from "../sync-http.ts";
import { refuseSync, type SyncRefusal } from "../sync-refusal.ts";
import type { Rules } from "./model-rules.ts";

/** The server's database, as an immutable value. Every call is one transaction on it. */
export interface ModelServer {
  readonly kid: string;
  /** The mark of each change; the first is change 1. */
  readonly marks: readonly string[];
  readonly threads: ReadonlyMap<string, ModelServerThread>;
  readonly blobs: ReadonlySet<string>;
}

export interface ModelServerThread extends ServerThread {
  readonly wrapped_key: string;
  readonly change: number;
  /** The segment with the number 1 is the first. */
  readonly segments: readonly Segment[];
  readonly operations: ReadonlyMap<string, KnownOperation>;
}

export const VAULT = "v";
/** How many segments one answer holds: few, so that a pull takes several. */
const PAGE = 2;

export interface ModelRequest<C extends SyncCall = SyncCall> {
  readonly device: string;
  readonly call: C;
  readonly input: SyncInput<C>;
}

/** Carries out a call. `mark` is a random text. */
export function serve(
  server: ModelServer,
  request: ModelRequest,
  rules: Rules,
  mark: string,
): { readonly server: ModelServer; readonly outcome: SyncOutcome<SyncCall> } {
  const unchanged = (outcome: SyncAnswer<SyncCall> | SyncRefusal) => ({ server, outcome: outcomeOf(outcome) });
  const { seen = [], since } = request.input as Partial<SyncInput<"listChanges">>;
  const lost = rules.decideSeen([...seen, since], (change) => server.marks[change - 1]);
  if (lost) return unchanged(lost);
  switch (request.call) {
    case "listChanges":
      return unchanged(changes(server, since));
    case "checkBlobs": {
      const { names } = request.input as SyncInput<"checkBlobs">;
      return unchanged({ missing: names.filter((name) => !server.blobs.has(name)) });
    }
    case "putPack": {
      const { kid, pack } = request.input as SyncInput<"putPack">;
      const wrong = rules.decideKey(kid, server.kid);
      if (wrong) return unchanged(wrong);
      // In the model a pack's id lists its blobs.
      return { server: { ...server, blobs: new Set([...server.blobs, ...pack.split("+")]) }, outcome: outcomeOf({}) };
    }
    case "registerThread":
      return register(server, request.input as SyncInput<"registerThread">, rules, mark);
    case "pullSegments":
      return unchanged(pull(server, request.input as SyncInput<"pullSegments">));
    case "pushSegment":
      return push(server, request as ModelRequest<"pushSegment">, rules, mark);
    default:
      throw new Error(`the model does not call ${request.call}`);
  }
}

function changes(server: ModelServer, since: string | undefined): SyncAnswer<"listChanges"> {
  const all = [...server.threads]
    .filter(([, { change }]) => change > changeOf(since))
    .sort(([, one], [, other]) => one.change - other.change);
  // One thread an answer, so that a cursor between two threads occurs.
  const [first, ...others] = all;
  const change = lastOf(server.marks);
  if (!first) return { threads: [], next: since ?? "0", more: false, change };
  const [thread, { last_seq, heads, wrapped_key, change: number }] = first;
  const listed = { thread, last_seq, heads, wrapped_key, deleted: false };
  return { threads: [listed], next: lastOf(server.marks.slice(0, number)), more: others.length > 0, change };
}

function register(server: ModelServer, input: SyncInput<"registerThread">, rules: Rules, mark: string) {
  const wrong = rules.decideKey(input.kid, server.kid);
  if (wrong) return { server, outcome: wrong };
  const known = server.threads.get(input.thread);
  const marks = known ? server.marks : [...server.marks, mark];
  const row = known ?? {
    last_seq: 0,
    heads: [],
    deleted: false,
    wrapped_key: input.wrapped_key,
    change: marks.length,
    segments: [],
    operations: new Map(),
  };
  const { wrapped_key, last_seq, heads } = row;
  const threads = new Map(server.threads).set(input.thread, row);
  return {
    server: { ...server, marks, threads },
    outcome: outcomeOf({ wrapped_key, last_seq, heads, change: lastOf(marks) }),
  };
}

function pull(server: ModelServer, { thread, after }: SyncInput<"pullSegments">) {
  const row = server.threads.get(thread);
  if (!row) return refuseSync("unknown-thread", "");
  const segments = row.segments.slice(after, after + PAGE).map((each, index) => ({ ...each, seq: after + index + 1 }));
  return { segments, last_seq: row.last_seq, heads: row.heads, change: lastOf(server.marks) };
}

function push(server: ModelServer, { device, input }: ModelRequest<"pushSegment">, rules: Rules, mark: string) {
  const { envelope } = input.segment;
  const row = server.threads.get(input.thread);
  const own = areNew(envelope.operations, row?.heads ?? []) ? [] : envelope.operations.map(({ id }) => id);
  const known = new Map([...own, ...outerParents(envelope.operations)].flatMap((id) => entryOf(row?.operations, id)));
  const facts = { vault: VAULT, thread: input.thread, device, kid: server.kid, used_bytes: 0, quota_bytes: Infinity };
  const decision = rules.decidePush(input.segment, { ...facts, row, known, blobs: server.blobs });
  if (decision.kind === "refused" || !row) return { server, outcome: decision as SyncRefusal };
  if (decision.kind === "repeat")
    return { server, outcome: outcomeOf({ ...decision.answer, change: lastOf(server.marks) }) };
  const { seq, last_seq, heads } = decision.answer;
  const marks = [...server.marks, mark];
  const fresh = decision.operations.map(({ id, tag }) => [id, { tag, seq, segment: envelope.id }] as const);
  const next = {
    ...row,
    last_seq,
    heads,
    change: marks.length,
    segments: [...row.segments, input.segment],
    operations: new Map([...row.operations, ...fresh]),
  };
  const threads = new Map(server.threads).set(input.thread, next);
  return { server: { ...server, marks, threads }, outcome: outcomeOf({ ...decision.answer, change: lastOf(marks) }) };
}

/** Deletes the blobs that no segment needs. */
export function collect(server: ModelServer): ModelServer {
  const needed = [...server.threads.values()].flatMap(({ segments }) =>
    segments.flatMap((each) => each.envelope.blobs),
  );
  const set = new Set(needed);
  return { ...server, blobs: new Set([...server.blobs].filter((name) => set.has(name))) };
}

function lastOf(marks: readonly string[]): string {
  return cursorOf({ change: marks.length, mark: marks.at(-1) ?? "" });
}

function outcomeOf(answer: SyncAnswer<SyncCall> | SyncRefusal): SyncOutcome<SyncCall> {
  return isSyncRefusal(answer) ? answer : { kind: "answer", answer };
}

function isSyncRefusal(answer: object): answer is SyncRefusal {
  return "kind" in answer && answer.kind === "refused";
}

function entryOf<K, V>(map: ReadonlyMap<K, V> | undefined, key: K): [K, V][] {
  const value = map?.get(key);
  return value === undefined ? [] : [[key, value]];
}
