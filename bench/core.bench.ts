/**
 * The core at scale: a change costs the change and not the conversation, and a thread opens without
 * folding its log.
 */
import {
  apply,
  type Built,
  type Context,
  checkpointFormat,
  completePlan,
  createThread,
  decode,
  editEntry,
  encode,
  MemoryHistory,
  type Operation,
  planUndo,
  replaceEntries,
  type State,
} from "@retake/core";
import { report, sideBySide } from "./measure.ts";

let ids = 0;
function context(): Context {
  ids += 1;
  return { id: `op${ids}`, at: 1_700_000_000_000 + ids * 2000, actor: { kind: "user" } };
}

function operationOf(built: Built): Operation {
  if (built.kind === "refused") throw new Error(built.message);
  return built.operation;
}

function threadOf(entries: number): MemoryHistory {
  const history = new MemoryHistory();
  const origin = { id: "T-bench", workspace_root: "/w", cwd: "/w", retake_version: "0", private: false };
  history.commit(operationOf(createThread(context(), { origin, take: "main", title: "main" })));
  const list = Array.from({ length: entries }, (_, index) => ({
    id: `entry-${index}`,
    content: `This is what entry ${index} says. `.repeat(5),
  }));
  history.commit(operationOf(replaceEntries(history.state, context(), { entries: list })));
  return history;
}

/** Edits entries all over the conversation and takes each edit back at once. */
function editAndUndo(history: MemoryHistory, entries: number): void {
  for (let index = 0; index < 500; index += 1) {
    const entry = `entry-${(index * 7919) % entries}`;
    history.commit(operationOf(editEntry(history.state, context(), { entry, content: `edited ${index}` })));
    const plan = planUndo(history, { steps: true });
    if (plan.kind !== "plan") throw new Error(plan.kind);
    history.commit(operationOf(completePlan(history, context(), plan)));
  }
}

const small = threadOf(100);
const large = threadOf(100_000);
for (let index = 0; index < 5; index += 1) {
  editAndUndo(small, 100);
  editAndUndo(large, 100_000);
}
const edits = await sideBySide(
  21,
  { work: () => editAndUndo(large, 100_000) },
  { work: () => editAndUndo(small, 100) },
);

/** A million operations on a thread of some entries; only the state and the last few operations are kept. */
function stateAfter(operations: number, entries: number): { state: State; tail: Operation[] } {
  let state = threadOf(entries).state;
  const tail: Operation[] = [];
  let checkpoint = state;
  for (let index = 0; index < operations; index += 1) {
    const content = `After ${index} operations this entry says something else.`;
    const operation = operationOf(editEntry(state, context(), { entry: `entry-${index % entries}`, content }));
    state = apply(state, operation, () => state);
    if (index === operations - 50) checkpoint = state;
    else if (index > operations - 50) tail.push(operation);
  }
  return { state: checkpoint, tail };
}

const { state, tail } = stateAfter(1_000_000, 20_000);
const text = JSON.stringify(encode(checkpointFormat, state));
function open(): void {
  const decoded = decode(checkpointFormat, JSON.parse(text));
  if (decoded.kind !== "decoded") throw new Error(decoded.message);
  const history = new MemoryHistory(decoded.value);
  for (const operation of tail) history.commit(operation);
}
const opening = await sideBySide(15, { work: open }, { work: () => JSON.parse(text) });

report("core", [
  { what: "edit and undo 500 times: 100,000 entries / 100 entries", ...edits, atMost: 2 },
  { what: "open a thread of 1,000,000 operations / parse its current state", ...opening, atMost: 2 },
]);
