import { describe, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { startTurn } from "../operations/turn.ts";
import type { Operation } from "../session/operation.ts";
import { activeTake, liveTakes, runningTurn, takeById, takes } from "../session/view.ts";
import { DEEDS, Device, HASHES, type Stored } from "../testing/merge-devices.ts";
import { MergeOracle } from "../testing/merge-oracle.ts";
import { visibleText } from "../testing/world.ts";
import { operationFormat } from "../wire/operation-format.ts";
import { MemoryHistory } from "./history.ts";
import { type Merge, mergeHeads } from "./merge.ts";
import type { Head } from "./merge-two-heads.ts";

const DEED = fc.constantFrom(...Object.keys(DEEDS), "insert", "turn", "branch", "edit");
const EVENT = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("work"), device: fc.nat(3), deed: DEED, pick: fc.nat(999) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("send"), device: fc.nat(3), to: fc.nat(3), count: fc.nat(40) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("merge"), device: fc.nat(3) }) },
);
type Event = { kind: string; device: number; deed?: string; pick?: number; to?: number; count?: number };
const events: fc.Arbitrary<Event[]> = fc.array(EVENT, { minLength: 10, maxLength: 60, size: "max" });

const byHash = (one: Head, other: Head) => (one.hash < other.hash ? -1 : 1);

describe("merge", () => {
  test("[M2] a take that both lines changed stays as on the main line, and the other version becomes a sibling take", () => {
    const { devices, merge } = merged(
      (a) => a.work("insert", 0),
      (b) => b.work("insert", 0),
    );
    const [a, b] = devices;
    expect(merge.siblings).toEqual([
      { take: expect.any(String), of: "t1", head: b.world.log.at(-1)?.id, name: "main_take_1" },
    ]);
    const [sibling] = merge.siblings;
    expect(a.world.contents("t1")).toEqual(["text of a-e2"]);
    expect(a.world.contents(sibling?.take)).toEqual(["text of b-e2"]);
    expect(takeById(a.world.state, sibling?.take ?? "")).toMatchObject({
      since: a.world.state.version,
      deleted: false,
    });
  });

  test("[M1] many merges after each other cost each about the same", () => {
    const [a, b] = newDevices(2) as [Device, Device];
    // Each merge refers to a state that the merge before it leads to: folded anew, each would take twice as long.
    for (let merges = 0; merges < 40; merges += 1) {
      for (const device of [a, b]) device.work("insert", 0);
      for (const [from, to] of [[a, b] as const, [b, a] as const]) send(from.known.values(), to);
      for (const device of [a, b]) device.merge(byHash);
    }
    expectOneHead([a, b]);
  });

  test("[M1] id, time, actor and takes of a merge depend only on the heads", () => {
    const { devices, merge } = merged(
      (a) => a.work("insert", 0),
      (b) => b.work("insert", 0),
    );
    const [a, b] = devices;
    const [{ operation }] = merge.operations as [Stored];
    expect(operation).toMatchObject({ actor: { kind: "sync" }, created_at: b.world.now, kind: "heads-merged" });
    expect(operation.parents).toEqual([a.world.log.at(-1)?.id, b.world.log.at(-1)?.id]);
    expect(operationFormat.check(operationFormat.write(operation))).toBeUndefined();
    for (const { world, name } of devices) world.history.state = { ...world.state, device: `${name}-again` };
    expect(mergeHeads(b.world.history, headsOf(devices), HASHES)).toEqual(merge);
  });

  test("[M1] a head that follows the other needs no merge, and heads of two threads have none", () => {
    const device = new Device("a");
    const [first] = device.heads() as [Head];
    device.work("insert", 0);
    const [last] = device.heads() as [Head];
    for (const heads of [[last], [first, last], [last, first], [last, last]])
      expect(mergeHeads(device.world.history, heads, HASHES)).toMatchObject({ head: last, operations: [] });
    expect(mergeHeads(device.world.history, [], HASHES)).toMatchObject({ code: "invalid-input" });
    const unknown = { operation: "unknown", hash: "" };
    expect(mergeHeads(device.world.history, [last, unknown], HASHES)).toMatchObject({ code: "not-found" });
    const root = device.known.get("op1")?.operation as Operation;
    device.world.history.add({ ...root, id: "other", group: "other" });
    expect(mergeHeads(device.world.history, [last, { operation: "other", hash: "" }], HASHES)).toMatchObject({
      code: "invalid-input",
    });
  });

  test("[M3] a take that only one line changed gets that version, without the other device's local records", () => {
    const { devices } = merged(
      (a) => a.work("title", 0),
      (b) => {
        startTurnOn(b);
        b.work("insert", 0);
      },
    );
    const { state } = devices[0].world;
    expect(liveTakes(state)).toHaveLength(1);
    expect(devices[0].world.contents("t1")).toEqual(["prompt", "text of b-e5"]);
    expect(runningTurn(state, "t1")).toBeUndefined();
  });

  test("[M3] a take that both lines changed to the same content gets no sibling", () => {
    const [a, b] = [new Device("a"), new Device("b")];
    a.work("insert", 0);
    send(a.known.values(), b);
    b.merge(byHash);
    for (const device of [a, b]) device.work("clear", 0);
    expect(mergeInto(a, b)).toMatchObject({ siblings: [], operations: [{}] });
    expect(a.world.contents("t1")).toEqual([]);
  });

  test.each(["deleteTake", "undoStep"])(
    "[M3] a take that one line drops by %s and the other works in stays",
    (deed) => {
      for (const mainWorks of [true, false]) {
        const [a, b] = [new Device("a"), new Device("b")];
        a.work("insert", 0);
        a.work("branch", 0);
        send(a.known.values(), b);
        b.merge(byHash);
        const [first, second] = mainWorks ? [b, a] : [a, b];
        b.work("switch", 1);
        b.work("insert", 0);
        a.work(deed, deed === "deleteTake" ? 1 : 0);
        mergeInto(first, second);
        const take = takes(first.world.state).find(({ name }) => name === "main_take_1");
        expect(take).toMatchObject({ deleted: false });
        expect(first.world.contents(take?.id)).toHaveLength(2);
      }
    },
  );

  test("[M3] a thread that one line deletes and the other works in stays", () => {
    for (const mainWorks of [true, false]) {
      const [a, b] = [new Device("a"), new Device("b")];
      b.work("insert", 0);
      a.work("deleteThread", 0);
      const [first, second] = mainWorks ? [b, a] : [a, b];
      const merge = mergeInto(first, second);
      expect(first.world.state.thread.get("thread")).toMatchObject({ deleted: false });
      expect(merge.operations[0]?.operation.description).toBe(
        "Keep the thread: it was deleted on one device and used on another",
      );
    }
    const { devices } = merged(
      (a) => a.work("deleteThread", 0),
      (b) => b.work("title", 0),
    );
    expect(devices[0].world.state.thread.get("thread")).toMatchObject({ deleted: true, title: "title 0" });
  });

  test("[M3] [T2] when each line deleted the takes that the other kept, those of the main line stay", () => {
    const [a, b] = [new Device("a"), new Device("b")];
    a.work("insert", 0);
    a.work("branch", 0);
    send(a.known.values(), b);
    b.merge(byHash);
    a.work("deleteTake", 0);
    b.work("deleteTake", 1);
    mergeInto(a, b);
    expect(liveTakes(a.world.state).map(({ name }) => name)).toEqual(["main_take_1"]);
  });

  test("[M3] [T2] of two takes with one name the main line's keeps it, and the other is renamed", () => {
    const [a, b] = [new Device("a"), new Device("b")];
    a.work("insert", 0);
    send(a.known.values(), b);
    b.merge(byHash);
    for (const device of [a, b]) device.work("branch", 0);
    mergeInto(a, b);
    const names = liveTakes(a.world.state).map(({ id, name }) => `${id.slice(0, 1)} ${name}`);
    expect(names.sort()).toEqual(["a main_take_1", "b main_take_2", "t main"]);
  });

  test("[M5] of a fact that both lines changed the main line's value stays, and the other is reported", () => {
    const { devices, merge } = merged(
      (a) => a.work("title", 1),
      (b) => {
        b.work("title", 2);
        b.work("pin", 0);
      },
    );
    expect(merge.conflicts).toEqual([{ record: "thread", field: "title", theirs: "title 2" }]);
    expect(devices[0].world.state.thread.get("thread")).toMatchObject({ title: "title 1", pinned: true });
  });

  test("[M5] each device stays at its take, and no number of a turn is used twice", () => {
    const [a, b] = [new Device("a"), new Device("b")];
    a.work("turn", 1);
    send(a.known.values(), b);
    b.merge(byHash);
    a.work("turn", 1);
    a.work("branch", 0);
    for (let turn = 0; turn < 3; turn += 1) b.work("turn", 1);
    b.work("branch", 0);
    const at = [a, b].map(({ world }) => activeTake(world.state));
    mergeInto(a, b);
    expect([a, b].map(({ name }) => activeTake({ ...a.world.state, device: name }))).toEqual(at);
    expect(a.world.state.thread.get("numbers")).toEqual({ turns: 4 });
  });

  test("[M6] undo passes over a merge, step by step too: the takes that it made stay", () => {
    fc.assert(
      fc.property(events, events, (ours, theirs) => {
        const [a, b] = newDevices(2) as [Device, Device];
        for (const { deed = "insert", pick = 0 } of ours) a.work(deed, pick);
        for (const { deed = "insert", pick = 0 } of theirs) b.work(deed, pick);
        mergeInto(a, b);
        const merge = a.world.history.operation(a.world.state.head ?? "");
        const siblings = (merge?.diff.spaces ?? []).filter(
          ({ take, after }) => typeof after === "object" && after !== null && after.take !== take,
        );
        const undone = a.world.undo({ steps: true, count: 50, on_conflict: "keep" });
        if (undone.kind === "undone") expect(undone.undoes?.map(({ group }) => group)).not.toContain(merge?.id);
        expect(siblings.filter(({ take }) => !a.world.state.spaces.has(take))).toEqual([]);
      }),
      cases(40),
    );
  });

  test("[L7] [M4] devices that exchange operations in any order, and merge at any time, end with one head", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 4 }), events, (count, list) => {
        const devices = newDevices(count);
        const oracle = new MergeOracle();
        const at = (index = 0) => devices[index % count] as Device;
        for (const { kind, device, deed = "", pick = 0, to, count: most } of list) {
          if (kind === "work") at(device).work(deed, pick);
          if (kind === "merge") oracle.check(at(device).world.history, at(device).merge(byHash));
          if (kind === "send") send(at(device).known.values(), at(to), most);
        }
        const ends = devices.map((device) => device.world.state);
        for (const from of devices) for (const to of devices) send(from.known.values(), to);
        for (const device of devices) oracle.check(device.world.history, device.merge(byHash));
        expectOneHead(devices);
        oracle.checkEnds(at(0).world.history, at(0).world.state.head ?? "", ends);
      }),
      cases(60),
    );
  });

  test("[L7] [M4] the same holds when a server orders the heads", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 4 }), events, (count, list) => {
        const devices = newDevices(count);
        const oracle = new MergeOracle();
        const server = new Map<string, Stored>();
        const order = (one: Head, other: Head) => seq(server, one) - seq(server, other);
        const at = (index = 0) => devices[index % count] as Device;
        const push = (device: Device) => {
          for (const [id, stored] of device.known) if (!server.has(id)) server.set(id, stored);
        };
        push(at(0));
        for (const { kind, device, deed = "", pick = 0, to = 0, count: most } of list) {
          if (kind === "work") at(device).work(deed, pick);
          if (kind === "merge") oracle.check(at(device).world.history, at(device).merge(order));
          if (kind === "send" && to % 2 === 0) push(at(device));
          if (kind === "send" && to % 2 === 1) send(server.values(), at(device), most);
        }
        for (const device of devices) push(device);
        for (const device of devices) {
          send(server.values(), device);
          oracle.check(device.world.history, device.merge(order));
        }
        expectOneHead(devices);
      }),
      cases(60),
    );
  });
});

/** Two devices that each made one change, and the merge of the second into the first. */
function merged(ours: (a: Device) => void, theirs: (b: Device) => void): { devices: [Device, Device]; merge: Merge } {
  const devices = newDevices(2) as [Device, Device];
  const [a, b] = devices;
  ours(a);
  theirs(b);
  for (const { operation, hash } of a.known.values()) b.receive({ operation, hash });
  return { devices, merge: mergeInto(a, b) };
}

function mergeInto(main: Device, other: Device): Merge {
  send(other.known.values(), main);
  const first = main.world.state.head;
  return main.merge((one) => (one.operation === first ? -1 : 1));
}

function headsOf(devices: readonly Device[]): Head[] {
  return devices.map(({ known, world }) => {
    const { id } = world.log.at(-1) as Operation;
    return { operation: id, hash: known.get(id)?.hash ?? "" };
  });
}

function startTurnOn(device: Device): void {
  const { world } = device;
  const prompt = { id: world.id("e"), content: "prompt" };
  world.must(startTurn(world.state, world.context(), { turn_id: world.id("turn"), prompt }));
}

function newDevices(count: number): Device[] {
  // The devices' clocks are years apart.
  return ["a", "b", "c", "d"].slice(0, count).map((name, index) => new Device(name, index * 100_000_000_000));
}

/** Delivers the operations that the other device lacks, oldest first, at most `most`. */
function send(known: Iterable<Stored>, to: Device, most = Number.MAX_SAFE_INTEGER): void {
  let left = most;
  for (const stored of known) {
    if (to.known.has(stored.operation.id)) continue;
    if (left === 0) return;
    left -= 1;
    to.receive(stored);
  }
}

/** A head that only its own device knows sorts last. */
function seq(server: ReadonlyMap<string, Stored>, { operation }: Head): number {
  const at = [...server.keys()].indexOf(operation);
  return at < 0 ? server.size : at;
}

function expectOneHead(devices: readonly Device[]): void {
  const heads = devices.map((device) => device.known.get(device.world.state.head ?? "")?.hash);
  expect(new Set(heads).size).toBe(1);
  const [first] = devices as [Device];
  const text = visibleText({ ...first.world.state, device: "" });
  for (const device of devices) {
    // A fold of the log alone, in the order in which this device received it.
    const history = new MemoryHistory();
    for (const { operation } of device.known.values()) history.add(operation);
    expect(visibleText(history.stateAt(device.world.state.head ?? ""))).toBe(text);
  }
}
