import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  activeTake,
  addPath,
  type Built,
  branch,
  branchFrom,
  type Context,
  changeSetting,
  clearEntries,
  completeJump,
  completePlan,
  createThread,
  editEntry,
  entries,
  entryAt,
  entryCount,
  finishTurn,
  type History,
  insertEntry,
  listHistory,
  liveTakes,
  MemoryHistory,
  type Operation,
  planJump,
  planRedo,
  planUndo,
  recordsIn,
  removeEntry,
  replaceEntries,
  resetSession,
  runningTurn,
  type State,
  startTurn,
  streamTurn,
  switchTake,
  type Table,
  takes,
} from "@retake/core";
import type { Database } from "@retake/workspace";
import { afterEach, describe, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { openDatabase as open } from "./open-database.ts";
import { watchPlans } from "./testing/watch-plans.ts";
import { ThreadStore } from "./thread-store.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function databaseFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "retake-threads-"));
  folders.push(folder);
  return join(folder, "retake.db");
}

/** A database in which the threads of these tests have a place. */
function openDatabase(file: string): Database {
  const database = open(file);
  database.run("INSERT OR IGNORE INTO places (thread, workspace_root) VALUES ('T-1', '/w'), ('T-2', '/w')");
  return database;
}

let ids = 0;
function context(): Context {
  ids += 1;
  return { id: `op${ids}`, at: 1_700_000_000_000 + ids * 2000, actor: { kind: "user" } };
}

function create(): Built {
  const origin = { id: "T-1", workspace_root: "/w", cwd: "/w", retake_version: "0", private: false };
  return createThread(context(), { origin, take: "t1", title: "main", tree: "tree-0" });
}

/** Everything in a state, as plain data; `picks` are the places that walks begin at. */
function everything(state: State, picks: readonly number[] = []): unknown {
  return {
    head: state.head,
    version: state.version,
    typing: state.typing,
    thread: [...state.thread.entries()],
    active: activeTake(state),
    spaces: [...state.spaces.entries()].map(([take, space]) => ({
      take,
      size: space.order.size,
      records: [...recordsIn(space)],
      walks: [space.order, space.records].map((table) => walks(table, picks)),
      // One by one, as changes ask for them.
      asked: ["agent", "workspace", "setting:draft", "setting:temperature"].map((id) => space.records.get(id)),
    })),
  };
}

/** The table backwards, and a few steps both ways from keys that are in it, next to one, or between two. */
function walks(table: Table<unknown>, picks: readonly number[]): unknown {
  const keys = [...table.entries()].map(([key]) => key);
  const few = (pairs: Iterator<unknown>) => Array.from({ length: 3 }, () => pairs.next().value);
  return [
    [...table.descending()],
    picks.map((pick) => {
      const key = keys[pick % Math.max(1, keys.length)] ?? "";
      const near = [key, `${key}!`, key.slice(0, pick % (key.length + 1))][pick % 3] as string;
      return [few(table.entries(near)), few(table.descending(near)), table.has(near), table.rank(near)];
    }),
  ];
}

function past({ state, operation }: History, steps: number): Operation | undefined {
  let at = state.head === null ? undefined : operation(state.head);
  for (let left = steps; left > 0 && at?.parents[0] !== undefined; left -= 1) at = operation(at.parents[0]);
  return at;
}

/** An action of a user, decided on the given history; undefined when it does not apply. */
type Deed = (history: History, id: string, number: number) => Built | undefined;

const some = (history: History, number: number) => {
  const take = activeTake(history.state);
  return entryAt(history.state, take, number % Math.max(1, entryCount(history.state, take)))?.id ?? "";
};

const DEEDS: Record<string, Deed> = {
  insert: ({ state }, id, number) =>
    insertEntry(state, context(), {
      entry: { id, content: `entry ${number}` },
      index: number % (entryCount(state, activeTake(state)) + 1),
    }),
  edit: (history, _, number) =>
    editEntry(history.state, context(), {
      entry: some(history, number),
      content: `edited ${number} ${"x".repeat(100)}`,
    }),
  remove: (history, _, number) => removeEntry(history.state, context(), { entry: some(history, number) }),
  set: ({ state }, _, number) => changeSetting(state, context(), { field: "temperature", value: (number % 20) / 10 }),
  type: ({ state }, _, number) =>
    changeSetting(state, context(), { field: "draft", value: `draft ${number}`, typing: true }),
  start: ({ state }, id, number) =>
    startTurn(state, context(), { turn_id: `turn-${id}`, prompt: { id: `p-${id}`, content: `prompt ${number}` } }),
  answer: ({ state }, id, number) => {
    const turn_id = runningTurn(state, activeTake(state)) ?? "";
    return streamTurn(state, context(), {
      turn_id,
      entry: `a-${number % 3}-${turn_id}`,
      text: `said ${id} `.repeat(20),
    });
  },
  finish: ({ state }, _, number) => {
    const turn_id = runningTurn(state, activeTake(state)) ?? "";
    return finishTurn(state, context(), { turn_id, status: "finished", tree: `tree-${number}` });
  },
  clear: ({ state }) => clearEntries(state, context()),
  branch: (history, id, number) => branch(history, context(), { entry: some(history, number), take: id }),
  switch: ({ state }, _, number) =>
    switchTake(state, context(), { take: liveTakes(state)[number % liveTakes(state).length]?.id ?? "" }),
  reset: ({ state }) => resetSession(state, context()),
  replace: ({ state }, id, number) =>
    replaceEntries(state, context(), {
      entries: Array.from({ length: number % 30 }, (_, index) => ({ id: `r${index}-${id}`, content: `${number}` })),
    }),
  attach: ({ state }, _, number) =>
    addPath(state, context(), {
      list: "file",
      member: { path: `${["a", "\u{1f600}", "\uff01"][number % 3]}${number}` },
    }),
  branchFrom: (history, id, number) => {
    const operation = past(history, number % 30);
    const state = operation && history.stateAt(operation.id);
    return state && branchFrom(history.state, context(), { past: state, from: activeTake(state), take: id });
  },
  jump: (history, id, number) => {
    const plan = planJump(history, { operation: past(history, number % 30)?.id ?? "", new_take: id });
    return plan.kind === "jump" ? completeJump(history, context(), plan) : undefined;
  },
  undo: (history, _, number) => {
    const plan = planUndo(history, { steps: number % 2 === 0, count: (number % 3) + 1, on_conflict: "keep" });
    return plan.kind === "plan" ? completePlan(history, context(), plan) : undefined;
  },
  redo: (history) => {
    const plan = planRedo(history, { on_conflict: "keep" });
    return plan.kind === "plan" ? completePlan(history, context(), plan) : undefined;
  },
};

/** The history of every take. */
function listed(history: History) {
  return takes(history.state).map(({ id }) =>
    [...listHistory(history, id)].map((item) => [item.operation.id, item.undone]),
  );
}

const NOTHING: Built = { kind: "refused", code: "nothing-to-do", message: "" };

describe("ThreadStore", () => {
  test("[H1] [S7] [S8] [F50] equals a thread in memory, whichever process changes it, also after rolled-back transactions", () => {
    const deed = fc.record({
      deed: fc.constantFrom(...Object.keys(DEEDS), "branch", "branch", "insert", "undo"),
      number: fc.nat({ max: 1000 }),
      by: fc.constantFrom("first", "second", "reopened"),
      /** Done once before in a transaction that comes to nothing. */
      tried: fc.boolean(),
    });
    // None, and every branch that has rows of its own is a layer; some, and there are both.
    const few = fc.constantFrom(0, 4, 256);
    fc.assert(
      fc.property(fc.array(deed, { minLength: 5, maxLength: 40, size: "max" }), fc.nat(), few, (deeds, jumpTo, few) => {
        const file = databaseFile();
        const open = () => {
          const database = openDatabase(file);
          return { database, store: new ThreadStore(database, { outbox: true, few }) };
        };
        let [first, second] = [open(), open()];
        const memory = new MemoryHistory();
        const committed: Operation[] = [];
        const both = (decide: (history: History) => Built | undefined, { store } = first) => {
          let built: Built | undefined;
          store.change("T-1", (history) => {
            built = decide(history) ?? NOTHING;
            return built;
          });
          if (built?.kind !== "operation") return;
          memory.commit(built.operation);
          committed.push(built.operation);
        };
        both(create);
        for (const [index, each] of deeds.entries()) {
          if (each.by === "reopened") {
            first.database.close();
            first = open();
          }
          const one = each.by === "second" ? second : first;
          const act: Deed = DEEDS[each.deed] as Deed;
          const inVain = () => {
            one.store.change("T-1", (history) => act(history, `x${index}`, each.number) ?? NOTHING);
            one.store.change("T-1", (history) => (DEEDS["set"] as Deed)(history, "", each.number + 1) ?? NOTHING);
            one.store.read("T-1", ({ state, stateAt }) => [everything(state), everything(stateAt(past.id))]);
            throw new Error("in vain");
          };
          const past = committed[each.number % committed.length] as Operation;
          if (each.tried) expect(() => one.database.transaction(inVain)).toThrow("in vain");
          both((history) => act(history, `x${index}`, each.number), one);
          const picks = [each.number, each.number * 7 + index, index];
          for (const { store } of [first, second]) {
            expect(store.read("T-1", ({ state }) => everything(state, picks))).toEqual(everything(memory.state, picks));
            expect(store.read("T-1", ({ stateAt }) => everything(stateAt(past.id), picks))).toEqual(
              everything(memory.stateAt(past.id), picks),
            );
          }
        }
        for (const { store } of [first, second]) expect(store.read("T-1", listed)).toEqual(listed(memory));
        const past = committed[jumpTo % committed.length] as Operation;
        both((history) => {
          const plan = planJump(history, { operation: past.id, new_take: "jumped" });
          return plan.kind === "jump" ? completeJump(history, context(), plan) : undefined;
        });
        for (const { id } of committed) {
          expect(first.store.read("T-1", (history) => everything(history.stateAt(id), [jumpTo]))).toEqual(
            everything(memory.stateAt(id), [jumpTo]),
          );
          expect(first.store.read("T-1", (history) => history.group(id))).toEqual(memory.group(id));
        }
        expect(first.store.verify("T-1")).toEqual([]);
        first.store.rebuild("T-1");
        for (const { database, store } of [first, second]) {
          expect(store.read("T-1", ({ state }) => everything(state))).toEqual(everything(memory.state));
          expect(store.read("T-1", ({ stateAt }) => everything(stateAt(past.id)))).toEqual(
            everything(memory.stateAt(past.id)),
          );
          expect(store.read("T-1", listed)).toEqual(listed(memory));
          expect(store.lineIsWhole("T-1")).toBe(true);
          database.close();
        }
      }),
      cases(12, 500),
    );
  });

  test("[F50] [H1] computes a state far back in parts: others are served in between, and may change the thread", async () => {
    const database = openDatabase(databaseFile());
    const store = new ThreadStore(database, { outbox: true });
    const insert = (id: string) =>
      store.change("T-1", ({ state }) => insertEntry(state, context(), { entry: { id, content: id } })) as Operation;
    store.change("T-1", create);
    const inserted = database.transaction(() => Array.from({ length: 2000 }, (_, index) => insert(`e${index}`)));
    const at = inserted[600] as Operation;
    const contents = (state: State) => [...entries(state, activeTake(state))].map(({ id }) => id);
    const expected = Array.from({ length: 601 }, (_, index) => `e${index}`);
    const reached = store.reach("T-1", at.id).then(() => "reached");
    const turns: string[] = [];
    for (let turn = ""; turn !== "reached"; turns.push(turn)) {
      turn = await Promise.race([reached, new Promise<string>((resolve) => setImmediate(resolve, "others"))]);
      if (turns.length === 1) insert("meanwhile");
    }
    expect(turns.length).toBeGreaterThan(4);
    expect(store.read("T-1", ({ stateAt }) => contents(stateAt(at.id)))).toEqual(expected);
    insert("later");
    expect(store.read("T-1", ({ stateAt }) => contents(stateAt(at.id)))).toEqual(expected);
    expect(store.read("T-1", ({ state }) => contents(state)).slice(-2)).toEqual(["meanwhile", "later"]);
    database.close();
  });

  test("[P7] the threads of a workspace are read by its index, however many threads other workspaces have", () => {
    const database = openDatabase(":memory:");
    const { watched, plans } = watchPlans(database);
    new ThreadStore(watched, { outbox: true }).list("/w");
    expect(plans[0]).toBe("SEARCH threads USING INDEX threads_by_workspace (workspace_root=?)");
    database.close();
  });

  test("a refusal commits nothing, nor does a decision that throws", () => {
    const database = openDatabase(databaseFile());
    const store = new ThreadStore(database, { outbox: true });
    store.change("T-1", create);
    const before = store.read("T-1", ({ state }) => everything(state));
    expect(store.change("T-1", ({ state }) => removeEntry(state, context(), { entry: "none" }))).toMatchObject({
      code: "not-found",
    });
    expect(() =>
      store.change("T-1", () => {
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(store.read("T-1", ({ state }) => everything(state))).toEqual(before);
    database.close();
  });

  test("[S7] forgets what was read in a rolled-back transaction", () => {
    const file = databaseFile();
    const [first, second] = [openDatabase(file), openDatabase(file)];
    const [store, other] = [new ThreadStore(first, { outbox: true }), new ThreadStore(second, { outbox: true })];
    store.change("T-1", create);
    store.change("T-1", ({ state }) => insertEntry(state, context(), { entry: { id: "e", content: "there" } }));
    const same = context();
    const branchOff = (into: ThreadStore) =>
      into.change("T-1", (history) => branch(history, same, { entry: "e", take: "t2" }));
    const inVain = () => {
      branchOff(store);
      store.read("T-1", ({ state }) => everything(state));
      throw new Error("in vain");
    };
    expect(() => first.transaction(inVain)).toThrow("in vain");
    // Another thread's rows come to lie where those of the branch would have, and the branch's elsewhere.
    other.change("T-2", create);
    branchOff(other);
    const seen = store.read("T-1", ({ state }) => everything(state));
    expect(seen).toEqual(other.read("T-1", ({ state }) => everything(state)));
    first.close();
    second.close();
  });

  test("[W3] detects a changed operation, and which one it is", () => {
    const database = openDatabase(databaseFile());
    const store = new ThreadStore(database, { outbox: true });
    store.change("T-1", create);
    store.change("T-1", ({ state }) =>
      startTurn(state, context(), { turn_id: "t", prompt: { id: "p", content: "a prompt" } }),
    );
    store.change("T-1", ({ state }) => streamTurn(state, context(), { turn_id: "t", entry: "a", text: "an answer" }));
    const last = store.change("T-1", ({ state }) => finishTurn(state, context(), { turn_id: "t", status: "finished" }));
    database.run("UPDATE operations SET body = replace(body, 'an answer', 'no answer')");
    const problems = store.verify("T-1");
    expect(problems).toHaveLength(1);
    expect(problems[0]?.operation).not.toBe((last as Operation).id);
    database.close();
  });

  test("[S7] a reader sees one moment, while another connection commits", () => {
    const file = databaseFile();
    const [first, second] = [openDatabase(file), openDatabase(file)];
    const [reader, writer] = [new ThreadStore(first, { outbox: true }), new ThreadStore(second, { outbox: true })];
    writer.change("T-1", create);
    const seen = reader.read("T-1", ({ state }) => {
      const before = [...entries(state, "t1")].length;
      writer.change("T-1", (history) => insertEntry(history.state, context(), { entry: { id: "e", content: "new" } }));
      return [before, [...entries(state, "t1")].length, state.version];
    });
    expect(seen).toEqual([0, 0, 1]);
    expect(reader.read("T-1", ({ state }) => entryCount(state, "t1"))).toBe(1);
    first.close();
    second.close();
  });

  test("[L6] queues every operation for sync in its own transaction, but not in a private store", () => {
    for (const outbox of [true, false]) {
      const database = openDatabase(databaseFile());
      new ThreadStore(database, { outbox }).change("T-1", create);
      expect(database.prepare("SELECT count(*) AS n FROM outbox").get()?.["n"]).toBe(outbox ? 1 : 0);
      database.close();
    }
  });
});
