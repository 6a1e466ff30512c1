import { createThread, editEntry, insertEntry, MemoryHistory, type Operation } from "@retake/core";
import { beforeEach, describe, expect, test } from "vitest";
import { linearizationProblems } from "./linearization-problems.ts";
import type { Answered, Asked, RecordedCall } from "./recorded-call.ts";

/** A log of three operations: a thread, an entry, its edit. */
let operations: Operation[];
beforeEach(() => {
  const history = new MemoryHistory();
  operations = [];
  let ids = 0;
  const context = () => ({ id: `op-${++ids}`, at: ids, actor: { kind: "user" } as const });
  const origin = { id: "T-1", workspace_root: "/w", cwd: "/w", retake_version: "0", private: false };
  const add = (built: ReturnType<typeof insertEntry>) => {
    if (built.kind === "refused") throw new Error(built.message);
    history.commit(built.operation);
    operations.push(built.operation);
  };
  add(createThread(context(), { origin, title: "main", take: "main" }));
  add(insertEntry(history.state, context(), { entry: { id: "e", content: "one" } }));
  add(editEntry(history.state, context(), { entry: "e", content: "two" }));
});

const insert: Asked = { kind: "insert", entry: "e", content: "one" };
const edit: Asked = { kind: "edit", entry: "e", content: "two" };
const changed = (version: number): Answered => ({ kind: "changed", version, operation: `op-${version}` });

function call(asked: Asked, invoked: number, answer: Answered, more: Partial<RecordedCall> = {}): RecordedCall {
  return { client: "c", asked, invoked, returned: invoked + 10, answer, ...more };
}

const inserted = () => call(insert, 0, changed(2));
const edited = () => call(edit, 20, changed(3));
const read = (invoked: number, version: number, content: string) =>
  call({ kind: "read-entries" }, invoked, { kind: "entries", version, entries: [["e", content]] });

describe("the check of recorded histories", () => {
  test("finds nothing wrong with requests that were done one after the other, or at once", () => {
    expect(linearizationProblems([inserted(), edited(), read(40, 3, "two")], operations)).toEqual([]);
    expect(linearizationProblems([inserted(), edited(), read(15, 2, "one")], operations)).toEqual([]);
  });

  test.each<[string, () => RecordedCall[]]>([
    ["a read that is older than what had returned", () => [inserted(), edited(), read(40, 2, "one")]],
    ["a read of what was not asked for yet", () => [inserted(), call(edit, 60, changed(3)), read(20, 3, "two")]],
    ["a read of a state that never was", () => [inserted(), edited(), read(40, 3, "three")]],
    ["an operation that nobody asked for", () => [inserted()]],
    ["a change that did something else", () => [inserted(), call({ ...edit, content: "three" }, 20, changed(3))]],
    ["an answer with the version of another change", () => [call(insert, 0, changed(3)), edited()]],
    ["changes in an order that contradicts time", () => [call(insert, 40, changed(2)), edited()]],
    ["a condition that did not hold", () => [inserted(), { ...edited(), expected: 1 }]],
    ["a condition that held and was refused", () => [inserted(), edited(), { ...stale(), expected: 3 }]],
    ["a key that was answered twice", () => [inserted(), { ...edited(), key: "k" }, { ...inserted(), key: "k" }]],
  ])("finds %s", (_, calls) => {
    expect(linearizationProblems(calls(), operations)).not.toEqual([]);
  });

  const stale = () => call(edit, 40, { kind: "refused", code: "stale-version", message: "" });
});
