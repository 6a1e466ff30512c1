import {
  apply,
  type Built,
  type Context,
  createThread,
  EMPTY_STATE,
  editEntry,
  insertEntry,
  type Operation,
  recordsIn,
  removeEntry,
  type State,
} from "@retake/core";
import { expect, test } from "vitest";
import { draftOf } from "./draft-state.ts";

const stateAt = () => EMPTY_STATE;

/** The thread's first operation, and operations that make, change, move along and remove records of it. */
function operations(): readonly [State, Operation[]] {
  let [state, ids]: [State, number] = [EMPTY_STATE, 0];
  const commit = (build: (state: State, context: Context) => Built): Operation => {
    ids += 1;
    const built = build(state, { id: `op${ids}`, at: ids * 1000, actor: { kind: "user" } });
    if (built.kind === "refused") throw new Error(built.message);
    state = apply(state, built.operation, stateAt);
    return built.operation;
  };
  const origin = { id: "T-1", workspace_root: "/w", cwd: "/w", retake_version: "0", private: false };
  commit((_, context) => createThread(context, { origin, title: "main", take: "t1" }));
  commit((at, context) => insertEntry(at, context, { entry: { id: "first", content: "first" } }));
  const first = state;
  const all = ["a", "b", "c"].map((id) =>
    commit((at, context) => insertEntry(at, context, { entry: { id, content: id } })),
  );
  all.push(commit((at, context) => editEntry(at, context, { entry: "first", content: "changed" })));
  all.push(commit((at, context) => removeEntry(at, context, { entry: "b" })));
  return [first, all];
}

function content({ head, version, thread, spaces }: State): unknown {
  return {
    head,
    version,
    thread: [...thread.entries()],
    spaces: [...spaces.entries()].map(([take, space]) => ({
      take,
      all: [...recordsIn(space)],
      back: [...space.order.descending()],
      sizes: [space.entries.size, space.order.size, space.records.size, spaces.size],
      ends: [space.order.at(0), space.order.rank("~"), [...space.order.withoutRange("").entries()]],
      removed: [space.entries.get("b"), space.entries.has("b"), space.entries.has("a")],
      some: [...space.records.where((key) => key.startsWith("group:")).entries()],
    })),
  };
}

test("[H1] operations lead a draft to the same state, and the state that it was made from stays", () => {
  const [first, all] = operations();
  const before = content(first);
  let [draft, state] = [draftOf(first), first];
  for (const operation of all) {
    draft = apply(draft, operation, stateAt);
    state = apply(state, operation, stateAt);
  }
  expect(content(draft)).toEqual(content(state));
  expect(content(first)).toEqual(before);
});

test("[H1] a draft that was read as a whole goes on", () => {
  const [first, all] = operations();
  let [draft, state] = [draftOf(first), first];
  for (const operation of all) {
    draft = apply(draft, operation, stateAt);
    state = apply(state, operation, stateAt);
    expect(content(draft)).toEqual(content(state));
  }
});
