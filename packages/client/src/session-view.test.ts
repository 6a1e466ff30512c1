import {
  activeTake,
  type Built,
  branch,
  type Context,
  checkpointFormat,
  completePlan,
  createThread,
  cutWindow,
  editEntry,
  encode,
  entries,
  entryAt,
  entryCount,
  finishTurn,
  insertEntry,
  isRefusal,
  MemoryHistory,
  type Operation,
  operationFormat,
  planRedo,
  planUndo,
  type Range,
  recordsIn,
  removeEntry,
  replaceEntries,
  startTurn,
  streamTurn,
  switchTake,
  type WindowRequest,
} from "@retake/core";
import { expect, test } from "vitest";
import { foldEvent, type SessionView, viewOf } from "./session-view.ts";
import type { RetakeEvent } from "./wire/event.ts";

const ENTRIES = 100_000;

const history = new MemoryHistory();
let ids = 0;

function context(): Context {
  ids += 1;
  return { id: `op${ids}`, at: 1_700_000_000_000 + ids * 2000, actor: { kind: "user" } };
}

function commit(built: Built): Operation {
  if (isRefusal(built)) throw new Error(built.message);
  history.commit(built.operation);
  return built.operation;
}

/** A view from the server's answer to a checkpoint request. */
function read(window: WindowRequest, take?: string): SessionView {
  const cut = cutWindow(history.state, window, take);
  if (isRefusal(cut)) throw new Error(cut.message);
  const { state, ...rest } = cut;
  const checkpoint = JSON.parse(JSON.stringify(encode(checkpointFormat, state)));
  return viewOf("T-1", { seq: String(state.version), checkpoint, window: rest });
}

/** The content of a view. */
function shown({ state, live: _, seq: __, ...facts }: SessionView): unknown {
  const { thread, spaces, ...rest } = state;
  return [
    ...[facts, rest, Object.fromEntries(thread.entries())],
    [...spaces.entries()].map(([take, space]) => [take, Object.fromEntries(recordsIn(space))]),
  ];
}

/** Changes inside of the windows, at their edges and far from them; each is made on the state that the one before left. */
function* changes(): Generator<Built> {
  const at = (index: number) => entryAt(history.state, activeTake(history.state), index)?.id ?? "";
  const last = () => entryCount(history.state, activeTake(history.state)) - 1;
  const middle = ENTRIES / 2;
  for (const index of [0, 10, middle - 1, middle, middle + 99, middle + 100, last() - 300, last() - 299, last()])
    yield editEntry(history.state, context(), { entry: at(index), content: `edited ${index}` });
  for (const index of [0, middle - 1, middle, middle + 50, middle + 101, last() - 299, last()]) {
    yield insertEntry(history.state, context(), { entry: { id: `new-${index}`, content: "new" }, before: at(index) });
    yield removeEntry(history.state, context(), { entry: at(index) });
  }
  for (let turn = 0; turn < 5; turn += 1) {
    const turn_id = `turn-${turn}`;
    yield startTurn(history.state, context(), { turn_id, prompt: { id: `prompt-${turn}`, content: "go on" } });
    for (const text of ["I ", "go ", "on."])
      yield streamTurn(history.state, context(), { turn_id, entry: `answer-${turn}`, text });
    yield finishTurn(history.state, context(), { turn_id, status: "finished" });
  }
  for (const request of [{ count: 2 }, { steps: true, count: 3 }]) {
    yield planned(planUndo(history, request));
    yield planned(planRedo(history, {}));
  }
  const main = activeTake(history.state);
  yield branch(history, context(), { entry: at(middle + 20), take: "other" });
  yield insertEntry(history.state, context(), { entry: { id: "in-other", content: "in the other take" } });
  yield switchTake(history.state, context(), { take: main });
  yield editEntry(history.state, context(), { entry: at(middle + 10), content: "edited at the end" });
}

function planned(plan: ReturnType<typeof planUndo>): Built {
  if (plan.kind !== "plan") throw new Error(plan.kind);
  return completePlan(history, context(), plan);
}

test("[S5] a view of a window of 100,000 entries equals a fresh read of that window after every event", () => {
  const origin = { id: "T-1", workspace_root: "/w", cwd: "/w", retake_version: "0", private: false };
  commit(createThread(context(), { origin, take: "main", title: "main", tree: "tree-0" }));
  const list = Array.from({ length: ENTRIES }, (_, index) => ({ id: `e${index}`, content: `entry ${index}` }));
  commit(replaceEntries(history.state, context(), { entries: list }));
  let views = [
    read({ last: 300 }),
    read({ after: `e${ENTRIES / 2 - 1}`, count: 100 }),
    read({ before: "e10", count: 20 }),
  ];
  const held = views.map((view) => [...entries(view.state, view.take)].length);
  expect(held).toEqual([300, 100, 10]);
  let folded = 0;
  for (const built of changes()) {
    const operation = commit(built);
    const event = {
      type: "operation-committed",
      seq: String(operation.version),
      thread_id: "T-1",
      operation: JSON.parse(JSON.stringify(encode(operationFormat, operation))),
    } as RetakeEvent;
    views = views.map((view) => {
      const after = foldEvent(view, event);
      const { from, to, groups }: Range = view;
      const fresh = read({ from, to, groups }, view.take);
      if (after.kind === "stale") return fresh;
      folded += 1;
      expect(shown(after.view), operation.description).toEqual(shown(fresh));
      return after.view;
    });
  }
  expect(folded).toBeGreaterThan(100);
});
