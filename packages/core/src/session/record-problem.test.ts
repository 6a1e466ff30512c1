import { describe, expect, test } from "vitest";
import type { Change } from "./diff.ts";
import { recordProblem } from "./record-problem.ts";

const ENTRY = { id: "e", order: "a", role: "User", content: "" };
const notices = [
  { kind: "unconfined", what: "the network" },
  { kind: "outside-workspace", path: "/etc" },
];
const create = (id: string, after: object) => ({ kind: "create", id, after }) as Change;
const update = (id: string, fields: object) => ({ kind: "update", id, fields }) as Change;

describe("[R8] the records of an operation from elsewhere", () => {
  test.each<[string, Change]>([
    ["an entry with open keys", create("t/entry:e", { ...ENTRY, mine: [1] })],
    ["a call's result with its effects", create("t/entry:e", { ...ENTRY, notices, receipt: { files_changed: ["a"] } })],
    ["an edited text", update("t/entry:e", { content: { at: 70, removed: "a", inserted: "b\n", sums: [1, 2] } })],
    ["a field that is removed and not required", update("t/entry:e", { tool_calls: { before: [] } })],
    ["a setting that was one once", create("t/setting:approval_rules", { value: [] })],
    ["a group", create("t/group:0000000a", { id: "op", role: "step" })],
    ["a path as a key", create("t/context:a/b:c", { path: "a/b:c", order: "a" })],
    ["a counter that grows", update("numbers", { turns: { before: 1, after: 2 } })],
    ["a removed record", { kind: "remove", id: "t/entry:e", before: ENTRY }],
  ])("may be %s", (_, change) => expect(recordProblem({ changes: [change] })).toBeUndefined());

  test.each<[string, Change]>([
    ["of no known kind", create("secrets:x", {})],
    ["named as what every object has", create("toString", {})],
    ["an entry that says it has another id", create("t/entry:e", { ...ENTRY, id: "other" })],
    ["an entry that gets another id", update("t/entry:e", { id: { before: "e", after: "other" } })],
    ["a take that says it has another id", create("take:t", { id: "other", name: "t", deleted: false })],
    ["a turn that says it has another id", create("t/turn:x", { id: "other", prompt: "", status: "finished" })],
    ["a context file that says it has another path", create("t/context:a", { path: "b", order: "a" })],
    ["a group whose name is no version", create("t/group:!!", { id: "op", role: "step" })],
    ["a group whose name sorts elsewhere than its version", create("t/group:zzzzzzzzzz", { id: "op", role: "step" })],
    ["an entry without content", create("t/entry:e", { ...ENTRY, content: undefined })],
    ["an entry with calls that are none", create("t/entry:e", { ...ENTRY, tool_calls: 5 })],
    ["an entry with notices that are none", create("t/entry:e", { ...ENTRY, notices: "all of them" })],
    [
      "an entry with a notice that says nothing",
      create("t/entry:e", { ...ENTRY, notices: [{ kind: "irreversible" }] }),
    ],
    ["an entry with a notice of no known kind", create("t/entry:e", { ...ENTRY, notices: [{ kind: "toString" }] })],
    ["an entry with a receipt that lists no paths", create("t/entry:e", { ...ENTRY, receipt: { files_changed: 3 } })],
    ["an entry that loses its role", update("t/entry:e", { role: { before: "User" } })],
    ["a take whose name has a control character", create("take:t", { id: "t", name: "a\u001b[2J", deleted: false })],
    [
      "a take whose name gets a control character",
      update("take:t", { name: { at: 80, removed: "", inserted: "\u001b", sums: [1, 2] } }),
    ],
    ["a setting that its field cannot have", create("t/setting:temperature", { value: 9 })],
    ["an agent without a turn's id", create("t/agent", { turn_id: "../x", state: {} })],
    ["a counter that goes back", update("numbers", { turns: { before: 2, after: 1 } })],
    ["a counter that is removed", { kind: "remove", id: "numbers", before: { turns: 2 } }],
    ["a counter without end", create("numbers", { turns: Number.MAX_SAFE_INTEGER })],
    ["a turn whose number is none", create("t/turn:x", { id: "x", prompt: "", status: "finished", number: "1" })],
  ])("may not be %s", (_, change) => expect(recordProblem({ changes: [change] })).toEqual(expect.any(String)));
});
