import { begin, LANE, NO_ANSWER, newDevice, receive, type Surroundings, work } from "./model-device.ts";
import { Invariants } from "./model-invariants.ts";
import { ModelOperations } from "./model-operations.ts";
import { RULES, type Rules } from "./model-rules.ts";
import { type ModelServer, serve } from "./model-server.ts";
import type { ModelDevice } from "./model-state.ts";
import { KID } from "./segments.ts";

/** How much the devices do. */
export interface Bounds {
  /** Operations that the user of each device makes. */
  readonly works: number;
  /** How often each device syncs until it has nothing more to do. */
  readonly rounds: number;
  /** Whether a round may also be split into single steps with lost answers, and how many of those. */
  readonly losses: number;
}

interface Situation {
  readonly server: ModelServer;
  readonly devices: readonly ModelDevice[];
  /** Rounds done, by device. */
  readonly rounds: readonly number[];
  readonly losses: number;
}

const THREAD = "t";

/**
 * Tries every order in which three devices work and sync. Work of different devices commutes, and equal situations are
 * visited once. At the end of each order, all devices sync in turn, and all must be equal.
 */
export class EveryInterleaving {
  readonly #rules: Rules;
  readonly #operations = new ModelOperations();
  readonly #invariants = new Invariants(this.#operations);
  readonly #bounds: Bounds;
  #ids = 0;

  constructor(bounds: Bounds, rules: Rules = RULES) {
    this.#bounds = bounds;
    this.#rules = rules;
  }

  /** Returns the number of different situations. */
  explore(): number {
    const server: ModelServer = { kid: KID, marks: [], threads: new Map(), blobs: new Set() };
    const [first, ...others] = ["a", "b", "c"].map((name) => newDevice(name, KID));
    // All devices know the thread: one has made it and synced, the others have pulled.
    const founded = this.#round(
      { server, devices: [this.#work(first as ModelDevice), ...others], rounds: [0, 0, 0], losses: 0 },
      0,
    );
    const start = [1, 2].reduce((made, index) => this.#round(made, index), founded);
    const begun: Situation = {
      ...start,
      devices: start.devices.map((each) => ({ ...each, made: 0 })),
      rounds: [0, 0, 0],
    };
    const seen = new Set([this.#keyOf(begun)]);
    const open = [begun];
    for (let situation = open.pop(); situation; situation = open.pop()) {
      const all = [...this.#nextOf(situation)];
      if (all.length === 0) this.#finish(situation);
      for (const next of all) {
        const key = this.#keyOf(next);
        if (!seen.has(key)) open.push(next);
        seen.add(key);
      }
    }
    return seen.size;
  }

  *#nextOf(situation: Situation): IterableIterator<Situation> {
    const { works, rounds, losses } = this.#bounds;
    for (const [index, device] of situation.devices.entries()) {
      if (device.made < works) yield this.#with(situation, index, this.#work(device));
      if ((situation.rounds[index] ?? 0) < rounds) {
        const done = this.#round(situation, index);
        yield { ...done, rounds: situation.rounds.with(index, (situation.rounds[index] ?? 0) + 1) };
      }
      if (situation.losses < losses)
        for (const lane of [LANE, THREAD]) {
          const lost = this.#exchange(situation, index, lane, true);
          if (lost) yield { ...lost, losses: situation.losses + 1 };
        }
    }
  }

  /** A device syncs until it has nothing to do. */
  #round(situation: Situation, index: number): Situation {
    let now = situation;
    for (let count = 0; count < 60; count += 1) {
      const listed = this.#exchange(now, index, LANE, false) ?? now;
      const next = this.#exchange(listed, index, THREAD, false);
      if (!next) return listed;
      now = next;
    }
    throw new Error("a device does not come to rest");
  }

  /** A step of a lane with all its requests. With `lost`, the last answer does not arrive. */
  #exchange(situation: Situation, index: number, lane: string, lost: boolean): Situation | undefined {
    let device = situation.devices[index] as ModelDevice;
    let { server } = situation;
    const began = begin(device, lane, this.#surroundings());
    if (!began) return undefined;
    ({ device } = began);
    for (let request = began.request; request; ) {
      const waiting = device.waiting.get(lane);
      if (!waiting) break;
      this.#invariants.checkRequest(request);
      const served = serve(server, request, this.#rules, `m${server.marks.length}`);
      this.#invariants.forget();
      this.#invariants.checkServer(served.server, server);
      ({ server } = served);
      const isLast = request.call !== "checkBlobs" && request.call !== "putPack";
      const outcome = lost && isLast ? NO_ANSWER : served.outcome;
      const { stored, request: next } = receive(device, lane, waiting, outcome, this.#surroundings());
      device = stored.at(-1) ?? device;
      request = next;
    }
    this.#invariants.checkDevice(device, server, false);
    return this.#with({ ...situation, server }, index, device);
  }

  #finish(situation: Situation): void {
    let now = situation;
    for (let before: ModelServer | undefined; before !== now.server; ) {
      before = now.server;
      for (const index of [0, 1, 2]) now = this.#round(now, index);
    }
    const made = new Map(
      now.devices.flatMap(({ threads }) => [...(threads.get(THREAD)?.known ?? [])].map((id) => [id, THREAD])),
    );
    this.#invariants.checkEnd(now.devices, now.server, made);
  }

  #work(device: ModelDevice): ModelDevice {
    return work(device, THREAD, this.#surroundings());
  }

  #with(situation: Situation, index: number, device: ModelDevice): Situation {
    return { ...situation, devices: situation.devices.with(index, device) };
  }

  /** Everything that can make a difference later. Ids of segments cannot. */
  #keyOf({ server, devices, rounds, losses }: Situation): string {
    const stored = server.threads
      .get(THREAD)
      ?.segments.map(({ envelope }) => envelope.operations.map(({ id }) => id).join("+"));
    const parts = devices.map(({ made, vault, threads }) => {
      const { known, head, outbox, sync } = threads.get(THREAD) ?? { known: [], head: "", outbox: [], sync: undefined };
      const { pulled, last_seq, merge } = sync ?? {};
      return [made, vault.cursor, vault.seen, [...known].sort(), head, outbox, pulled, last_seq, merge].join(" ");
    });
    return [stored, ...parts, rounds, losses].join("|");
  }

  #surroundings(): Surroundings {
    this.#ids += 1;
    return { rules: this.#rules, operations: this.#operations, id: this.#ids, now: 0, jitter: 0, segment: 200 };
  }
}
