import {
  activeTake,
  type Built,
  branch,
  type Context,
  changeSetting,
  changeThread,
  completePlan,
  createThread,
  finishTurn,
  type History,
  type HistoryItem,
  liveTakes,
  planUndo,
  startTurn,
  streamTurn,
  switchTake,
} from "@retake/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "../store/open-database.ts";
import { ThreadStore } from "../store/thread-store.ts";
import { allOperations, historySteps } from "./history-list.ts";

let database: ReturnType<typeof openDatabase>;
let store: ThreadStore;
let ids = 0;

beforeEach(() => {
  database = openDatabase(":memory:");
  store = new ThreadStore(database, { outbox: true, few: 0 });
  store.place("T-1", "/w");
  const origin = { id: "T-1", workspace_root: "/w", cwd: "/w", retake_version: "0", private: false };
  commit((_, context) => createThread(context, { origin, take: "t1", title: "main" }));
});
afterEach(() => database.close());

function commit(build: (history: History, context: Context) => Built, take?: string): void {
  ids += 1;
  const at = 1_700_000_000_000 + ids * 2000;
  const context: Context = { id: `op${ids}`, at, actor: { kind: "user" }, ...(take === undefined ? {} : { take }) };
  const done = store.change("T-1", (history) => build(history, context));
  if ("code" in done) throw new Error(done.message);
}

/** A turn during which a setting is changed, which is a step of its own. */
function turn(turn_id: string): void {
  const prompt = { id: `${turn_id}.prompt`, content: turn_id };
  commit(({ state }, context) => startTurn(state, context, { turn_id, prompt }));
  commit(({ state }, context) => streamTurn(state, context, { turn_id, entry: `${turn_id}.1`, text: "first" }));
  commit(({ state }, context) => changeSetting(state, context, { field: "temperature", value: ids / 1000 }));
  commit(({ state }, context) => streamTurn(state, context, { turn_id, entry: `${turn_id}.2`, text: "second" }));
  commit(({ state }, context) => finishTurn(state, context, { turn_id, status: "finished" }));
}

function undo(): void {
  commit((history, context) => {
    const plan = planUndo(history, {});
    if (plan.kind !== "plan") throw new Error(plan.kind);
    return completePlan(history, context, plan);
  });
}

const listed = (items: Iterable<HistoryItem>) =>
  [...items].map(({ operation: { id, description }, undone }) => ({ id, description, undone }));

describe("a history that is read in pages", () => {
  test("[S1] goes on after each step as the whole list does, also within a turn, a branch and after an undo", () => {
    for (const name of ["one", "two", "three"]) turn(name);
    commit((history, context) => branch(history, context, { entry: "two.1", take: "inside" }));
    turn("four");
    commit(({ state }, context) => changeThread(state, context, { facts: { title: "renamed" } }));
    undo();
    commit((history, context) => branch(history, context, { entry: "one.2", take: "deeper" }));
    turn("five");
    commit(({ state }, context) => switchTake(state, context, { take: "t1" }));
    turn("six");
    undo();
    for (const { id: take } of store.read("T-1", ({ state }) => liveTakes(state))) {
      if (store.read("T-1", ({ state }) => activeTake(state)) !== take)
        commit(({ state }, context) => switchTake(state, context, { take }));
      store.read("T-1", (history) => {
        for (const list of [historySteps, allOperations]) {
          const whole = listed(list(history));
          for (const [index, { id }] of whole.entries()) {
            const rest = listed(list(history, id));
            expect(rest.slice(rest.findIndex((each) => each.id === id))).toEqual(whole.slice(index));
          }
        }
      });
    }
  });

  test("[S1] reads no more of it, however far back the page begins", () => {
    for (let index = 0; index < 30; index += 1) turn(`turn-${index}`);
    store.read("T-1", (history) => {
      const [{ operation } = { operation: undefined }] = [...historySteps(history)].slice(40);
      const read: string[] = [];
      const watched: History = {
        ...history,
        lineOf: function* (...of) {
          for (const each of history.lineOf?.(...of) ?? []) {
            read.push(each.id);
            yield each;
          }
        },
      };
      const page = historySteps(watched, operation?.id);
      for (let count = 0; count < 5; count += 1) page.next();
      expect(read[0]).toBe(operation?.id);
      expect(read.length).toBeLessThan(30);
    });
  });
});
