import type { ModelOperations } from "./model-operations.ts";
import type { ModelRequest, ModelServer, ModelServerThread } from "./model-server.ts";
import { isPrivate, type ModelDevice, type ModelThread } from "./model-state.ts";

/** The promises of sync, checked with whole sets. A broken one throws. */
export class Invariants {
  readonly #operations: ModelOperations;
  /** The number that the server gave to each operation first. */
  readonly #numbers = new Map<string, number>();
  readonly #merges = new Map<string, string>();

  constructor(operations: ModelOperations) {
    this.#operations = operations;
  }

  /** The server was restored from a backup: until all is quiet, it lacks what devices believe it has. */
  lossy = false;

  restored(): void {
    this.lossy = true;
    this.forget();
  }

  /** Another order of events begins, or one from a backup: the numbers so far do not count. */
  forget(): void {
    this.#numbers.clear();
    this.#merges.clear();
  }

  /** Checks the threads that have changed. */
  checkServer(server: ModelServer, before: ModelServer): void {
    for (const [id, thread] of server.threads)
      if (thread !== before.threads.get(id) || server.blobs.size < before.blobs.size)
        this.#checkServerThread(server, thread);
  }

  #checkServerThread(server: ModelServer, thread: ModelServerThread): void {
    const seen = new Set<string>();
    const followed = new Set<string>();
    if (thread.last_seq !== thread.segments.length) fail("the numbers of segments have a gap");
    for (const [index, { envelope }] of thread.segments.entries()) {
      if (envelope.kid !== server.kid) fail(`a segment was written with another key`);
      if (envelope.blobs.some((name) => !server.blobs.has(name))) fail("a segment is visible before its blobs");
      for (const { id, parents } of envelope.operations) {
        this.#checkMerge(id, parents);
        if (parents.some((parent) => !seen.has(parent))) fail(`${id} is visible before its parents`);
        for (const parent of parents) followed.add(parent);
        const seq = seen.has(id) ? (thread.operations.get(id)?.seq ?? 0) : index + 1;
        if ((this.#numbers.get(id) ?? seq) !== seq) fail(`a repeat of ${id} got another number`);
        this.#numbers.set(id, seq);
        seen.add(id);
      }
      if (envelope.operations.every(({ id }) => (thread.operations.get(id)?.seq ?? 0) !== index + 1))
        fail("a segment was stored that brings nothing");
    }
    const heads = [...seen].filter((id) => !followed.has(id)).sort();
    const said = thread.heads.map(({ operation }) => operation).sort();
    if (heads.join() !== said.join()) fail(`the heads are ${heads}, not ${said}`);
  }

  /**
   * Two devices merge two heads in one way. Not so after a restore, when numbers are given anew; nor is it promised for heads
   * that are merges: a device that knows three heads makes a merge of two on its way, before the server has numbered it.
   */
  #checkMerge(id: string, parents: readonly string[]): void {
    if (parents.length < 2 || this.lossy || parents.some((each) => this.#operations.get(each).parents.length > 1))
      return;
    const heads = [...parents].sort().join();
    if ((this.#merges.get(heads) ?? id) !== id) fail(`the heads ${heads} were merged in two ways`);
    this.#merges.set(heads, id);
  }

  checkDevice(device: ModelDevice, server: ModelServer, reads: boolean): void {
    for (const [id, thread] of device.threads) {
      for (const each of thread.known)
        if (this.#operations.get(each).parents.some((parent) => !thread.known.has(parent)))
          fail(`${device.name} has ${each} without its parents`);
      if (thread.outbox.some((each) => !thread.known.has(each))) fail("the outbox names an unknown operation");
      if (isPrivate(id)) {
        if (thread.outbox.length > 0) fail("a private operation is in the outbox");
        continue;
      }
      if (this.lossy) continue;
      if (reads && thread.outbox.length > 0) fail(`${device.name} only reads, and has written`);
      this.#checkCursor(device, thread, server.threads.get(id));
    }
  }

  #checkCursor(device: ModelDevice, thread: ModelThread, stored: ModelServerThread | undefined): void {
    const pending = new Set(thread.outbox);
    for (const each of thread.known)
      if (!pending.has(each) && !stored?.operations.has(each)) fail(`${each} of ${device.name} is nowhere else`);
    const { pulled } = thread.sync;
    if (pulled > (stored?.last_seq ?? 0)) fail(`${device.name} has pulled what is not there`);
    for (const { envelope } of stored?.segments.slice(0, pulled) ?? [])
      for (const { id } of envelope.operations)
        if (!thread.known.has(id)) fail(`${device.name} has passed ${id} without storing it`);
  }

  checkRequest({ input }: ModelRequest): void {
    if (/"(blob-)?x\d+"|private/.test(JSON.stringify(input))) fail("a private byte was sent");
  }

  /** When all is quiet: nothing is pending, and all devices and the server have the same. */
  checkEnd(devices: readonly ModelDevice[], server: ModelServer, made: ReadonlyMap<string, string>): void {
    const threads = new Set(devices.flatMap((device) => [...device.threads.keys()]).filter((id) => !isPrivate(id)));
    for (const id of threads) {
      const stored = server.threads.get(id);
      if (!stored) fail(`the server has no ${id}`);
      if (stored.heads.length !== 1) fail(`${id} has the heads ${stored.heads.map(({ operation }) => operation)}`);
      const all = [...stored.operations.keys()].sort().join();
      for (const device of devices) {
        const thread = device.threads.get(id);
        if (!thread) fail(`${device.name} has no ${id}`);
        if (thread.outbox.length > 0) fail(`the outbox of ${device.name} is not empty: ${thread.outbox}`);
        if ([...thread.known].sort().join() !== all) fail(`${device.name} and the server differ in ${id}`);
        if (thread.head !== stored.heads[0]?.operation) fail(`${device.name} stands at another head of ${id}`);
      }
    }
    for (const [operation, thread] of made)
      if (!isPrivate(thread) && !server.threads.get(thread)?.operations.has(operation)) fail(`${operation} was lost`);
  }
}

/** A promise of sync is broken. */
export class BrokenPromiseError extends Error {}

function fail(message: string): never {
  throw new BrokenPromiseError(message);
}
