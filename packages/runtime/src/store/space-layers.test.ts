import {
  type Built,
  branch,
  type Context,
  completePlan,
  createThread,
  editEntry,
  entries,
  entriesBack,
  entryById,
  finishTurn,
  type History,
  insertEntry,
  lastChange,
  lastUndoable,
  listHistory,
  liveTakes,
  MemoryHistory,
  originOf,
  planRedo,
  planUndo,
  recordsIn,
  recordsOf,
  type State,
  startTurn,
  streamTurn,
  switchTake,
} from "@retake/core";
import type { Database } from "@retake/workspace";
import { describe, expect, test } from "vitest";
import { layersOf } from "./layers.ts";
import { openDatabase } from "./open-database.ts";
import { watchPlans } from "./testing/watch-plans.ts";
import { ThreadStore } from "./thread-store.ts";

let ids = 0;
function context(take?: string): Context {
  ids += 1;
  const at = 1_700_000_000_000 + ids * 2000;
  return { id: `op${ids}`, at, actor: { kind: "user" }, ...(take === undefined ? {} : { take }) };
}

function create(): Built {
  const origin = { id: "T-1", workspace_root: "/w", cwd: "/w", retake_version: "0", private: false };
  return createThread(context(), { origin, take: "t1", title: "main", tree: "tree-0" });
}

function undone(history: History): Built {
  const plan = planUndo(history, { steps: true });
  return plan.kind === "plan" ? completePlan(history, context(), plan) : refused();
}

function redone(history: History): Built {
  const plan = planRedo(history, {});
  return plan.kind === "plan" ? completePlan(history, context(), plan) : refused();
}

function refused(): Built {
  throw new Error("there is nothing to take back");
}

/** A database that counts its statements, the rows that they return, and the rows that they write. */
function counting(database: Database): { readonly counted: Database; take(): Counted } {
  let counted = { statements: 0, read: 0, written: 0 };
  const plans = new Set<string>();
  const statement = (sql: string) => {
    const real = database.prepare(sql);
    counted.statements += 1;
    for (const row of database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...Array(sql.split("?").length - 1).fill(null)))
      plans.add(String(row["detail"]));
    return {
      get: (...values: never[]) => tally(real.get(...values)),
      all: (...values: never[]) => {
        const rows = real.all(...values);
        counted.read += rows.length;
        return rows;
      },
      iterate: (...values: never[]) => tallyAll(real.iterate(...values)),
      run: (...values: never[]) => {
        const done = real.run(...values);
        counted.written += Number(done.changes);
        return done;
      },
    };
  };
  const tally = <T>(row: T) => {
    if (row !== undefined) counted.read += 1;
    return row;
  };
  function* tallyAll<T>(rows: Iterable<T>) {
    for (const row of rows) yield tally(row);
  }
  const run = (sql: string, ...values: never[]) => {
    const { changes, lastInsertRowid } = statement(sql).run(...values);
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  };
  const proxy = new Proxy(database, {
    get: (target, name) => {
      if (name === "prepare") return statement;
      if (name === "run") return run;
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return {
    counted: proxy,
    take: () => {
      const taken = {
        ...counted,
        scans: [...plans].filter((plan) => /^SCAN (?!entry_words|CONSTANT|\()|B-TREE/.test(plan)),
      };
      counted = { statements: 0, read: 0, written: 0 };
      plans.clear();
      return taken;
    },
  };
}

interface Counted {
  readonly statements: number;
  readonly read: number;
  readonly written: number;
  /** Where SQLite reads a whole table, or sorts. */
  readonly scans: readonly string[];
}

/** Statements that sort a few pages of rows, however long the thread. */
const SORTED_PAGES: Readonly<Record<string, readonly string[]>> = {
  "history of the branch": ["USE TEMP B-TREE FOR ORDER BY"],
  "origins and last changes of takes": ["USE TEMP B-TREE FOR ORDER BY"],
};

/** The cost of each action in a thread of so many turns, which have two entries each. */
function costs(turns: number): Record<string, Counted> {
  const database = openDatabase(":memory:");
  const made = new ThreadStore(database, { outbox: true });
  database.transaction(() => {
    made.place("T-1", "/w");
    made.change("T-1", create);
    for (let index = 0; index < turns; index += 1) {
      const turn_id = `turn-${index}`;
      const prompt = { id: `p-${index}`, content: `prompt ${index}` };
      made.change("T-1", ({ state }) => startTurn(state, context(), { turn_id, prompt }));
      made.change("T-1", ({ state }) => streamTurn(state, context(), { turn_id, entry: `a-${index}`, text: "answer" }));
      made.change("T-1", ({ state }) =>
        finishTurn(state, context(), { turn_id, status: "finished", tree: `tree-${index}` }),
      );
    }
  });
  const { counted, take } = counting(database);
  const store = new ThreadStore(counted, { outbox: true });
  const found: Record<string, Counted> = {};
  const measure = (what: string, deed: () => unknown) => {
    take();
    deed();
    found[what] = take();
  };
  const change = (what: string, decide: (history: History) => Built) =>
    measure(what, () => {
      const done = store.change("T-1", decide);
      if ("code" in done) throw new Error(done.message);
    });
  const edit = (entry: string) => (history: History) =>
    editEntry(history.state, context(), { entry, content: `edited ${ids}` });
  const read = (what: string, look: (state: State) => unknown) =>
    measure(what, () => store.read("T-1", ({ state }) => look(state)));
  change("edit", edit("p-100"));
  change("edit again", edit("p-101"));
  change("undo", undone);
  change("redo", redone);
  change("branch early", (history) => branch(history, context(), { entry: "a-20", take: "early" }));
  change("edit in the branch", edit("p-3"));
  change("undo in the branch", undone);
  read("first and last of the branch", (state) => [
    entries(state, "early").next(),
    entriesBack(state, "early").next(),
    entryById(state, "early", "p-100"),
    lastUndoable(state, "early"),
  ]);
  read("turns of the branch", (state) => [...recordsOf(state, "early", "turn")]);
  measure("history of the branch", () =>
    store.read("T-1", (history) => {
      const items = listHistory(history, "early");
      for (let count = 0; count < 30; count += 1) items.next();
    }),
  );
  change("branch off the branch", (history) => branch(history, context(), { entry: "p-10", take: "second" }));
  change("insert there", ({ state }) => insertEntry(state, context(), { entry: { id: "new", content: "new" } }));
  change("back to main", ({ state }) => switchTake(state, context(), { take: "t1" }));
  change("edit in main", edit("p-50"));
  change("branch late", (history) => branch(history, context(), { entry: `a-${turns - 2}`, take: "late" }));
  change("undo the branch", undone);
  change("redo the branch", redone);
  measure("origins and last changes of takes", () =>
    store.read("T-1", (history) => {
      for (const { id } of liveTakes(history.state)) [originOf(history, id), lastChange(history, id)];
    }),
  );
  read("middle of main", (state) => {
    const middle = entryById(state, "t1", "a-100");
    return [entries(state, "t1", middle).next(), entriesBack(state, "t1", middle).next()];
  });
  database.close();
  return found;
}

describe("spaces in layers", () => {
  test("[F50] [F51] branch, edit, undo, redo and a branch's history cost the same in a thread of 300 entries as in one of 3,000", () => {
    const [few, many] = [costs(150), costs(1500)];
    expect(many).toEqual(few);
    for (const [what, { written, scans }] of Object.entries(many))
      expect({ what, scans, little: written < 20 }).toEqual({ what, scans: SORTED_PAGES[what] ?? [], little: true });
  });

  test("[F50] a branch of a branch, forty deep, equals one in memory, with few layers", () => {
    const database = openDatabase(":memory:");
    const store = new ThreadStore(database, { outbox: true, few: 0 });
    const memory = new MemoryHistory();
    const commit = (decide: (history: History) => Built) => {
      const done = store.change("T-1", decide);
      if ("code" in done) throw new Error(done.message);
      memory.commit(done);
    };
    store.place("T-1", "/w");
    commit(create);
    for (let depth = 0; depth < 40; depth += 1) {
      for (let index = 0; index <= depth % 3; index += 1)
        commit(({ state }) =>
          insertEntry(state, context(), { entry: { id: `e${depth}-${index}`, content: `${depth}` } }),
        );
      if (depth % 5 === 4)
        commit(({ state }) => editEntry(state, context(), { entry: `e${depth - 3}-0`, content: "edited" }));
      commit((history) => branch(history, context(), { entry: `e${depth}-0`, take: `b${depth}` }));
    }
    const plain = ({ spaces }: State) =>
      [...spaces.entries()].map(([take, space]) => [take, space.order.size, [...recordsIn(space)]]);
    expect(store.read("T-1", ({ state }) => plain(state))).toEqual(plain(memory.state));
    const linked = (history: History) =>
      liveTakes(history.state).map(({ id }) => ({ id, origin: originOf(history, id), last: lastChange(history, id) }));
    expect(store.read("T-1", linked)).toEqual(linked(memory));
    const spaces = database.prepare("SELECT space FROM takes").all();
    const deepest = Math.max(...spaces.map(({ space }) => layersOf(database, Number(space)).length));
    // Each base has at least twice the rows of the layer above it, and all of them have about 200.
    expect(deepest).toBeLessThanOrEqual(9);
    expect(deepest).toBeGreaterThan(2);
    database.close();
  });

  test("[F50] no row of a layer is looked up in the layers above it, where one record may have a megabyte", () => {
    const database = openDatabase(":memory:");
    const { watched, plans } = watchPlans(database);
    const store = new ThreadStore(watched, { outbox: true, few: 0 });
    store.place("T-1", "/w");
    store.change("T-1", create);
    for (const turn_id of ["one", "two"]) {
      const prompt = { id: turn_id, content: "prompt" };
      store.change("T-1", ({ state }) => startTurn(state, context(), { turn_id, prompt }));
      store.change("T-1", ({ state }) => finishTurn(state, context(), { turn_id, status: "finished" }));
    }
    store.change("T-1", (history) => branch(history, context(), { entry: "two", take: "b" }));
    plans.length = 0;
    const turns = store.read("T-1", ({ state }) => [...recordsOf(state, "b", "turn")].map(([id]) => id));
    expect(turns).toEqual(["one", "two"]);
    const walks = plans.filter((plan) => plan.includes("id>"));
    expect(walks.length).toBeGreaterThan(1);
    expect(new Set(walks)).toEqual(new Set(["SEARCH records USING PRIMARY KEY (space=? AND id>? AND id<?)"]));
    expect(plans.filter((plan) => plan.includes("SUBQUERY"))).toEqual([]);
    database.close();
  });

  test("[F50] a thread is at work while a take has an agent, in whichever layer its record lies", () => {
    const database = openDatabase(":memory:");
    const store = new ThreadStore(database, { outbox: true, few: 0 });
    store.place("T-1", "/w");
    store.change("T-1", create);
    store.change("T-1", ({ state }) => insertEntry(state, context(), { entry: { id: "e", content: "first" } }));
    const prompt = { id: "p", content: "prompt" };
    store.change("T-1", ({ state }) => startTurn(state, context(), { turn_id: "turn", prompt }));
    expect(store.working("/w")).toEqual(["T-1"]);
    // The agent's record now lies in the layer that both takes share, and the branch hides it.
    store.change("T-1", (history) => branch(history, context(), { entry: "e", take: "b" }));
    expect(store.working("/w")).toEqual(["T-1"]);
    store.change("T-1", ({ state }) => finishTurn(state, context("t1"), { turn_id: "turn", status: "finished" }));
    expect(store.working("/w")).toEqual([]);
    database.close();
  });
});
