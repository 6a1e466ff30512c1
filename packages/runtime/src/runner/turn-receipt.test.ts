import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { activeTake, type Entry, entries, type State, turn } from "@retake/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { takenBackOutcome } from "../answers/taken-back-answer.ts";
import { TemporaryRetake } from "../testing/temporary-retake.ts";
import type { TurnResult } from "./turn.ts";

const session = new TemporaryRetake();
const { workspace } = session;
let thread: string;
let result: TurnResult;

beforeAll(async () => {
  session.write(".gitignore", "*.log\n");
  session.write("a.txt", "one\n");
  mkdirSync(join(session.root, "node_modules"));
  thread = await workspace.newThread("receipts");
  const command = "echo two >> a.txt; echo x > out.log; truncate -s 65M huge.bin; true || git push";
  result = await session.turn(thread, `write b.txt: b\nrun ${command}`);
});
afterAll(() => session.remove());

const pushed = { tool: "bash", what: "git push" };
const unconfined = { tool: "bash", what: expect.stringContaining("outside of the confinement") };

/** In order: each test goes on from where the one before left the session. */
describe("a turn's receipt", () => {
  test("[X4] [X8] lists changes, uncovered files with reasons, and effects that cannot be undone", () => {
    const { receipt } = result;
    expect(receipt).toMatchObject({
      files: 4,
      files_changed: ["a.txt", "b.txt", "out.log"],
      ignored_changed: ["out.log"],
      uncovered_changed: ["huge.bin"],
      uncovered: [
        { path: "huge.bin", reason: "too-large" },
        { path: "node_modules", reason: "cache" },
      ],
      effects: [pushed, unconfined],
      omitted: 0,
    });
    const kept = workspace.store.read(thread, ({ state }) => turn(state, activeTake(state), result.turn_id)?.receipt);
    expect(kept).toEqual(receipt);
  });

  test("a turn that only talks has changed nothing", async () => {
    const { receipt } = await session.turn(thread, "hello");
    expect(receipt).toMatchObject({ files: 4, files_changed: [], uncovered_changed: [], effects: [] });
    await workspace.undo(thread, {});
  });

  test("[X8] [U6] undo names the effects that stay, before and after", async () => {
    const staying = [pushed, unconfined].map((effect) => ({ ...effect, turn_id: result.turn_id }));
    const dry = await workspace.undo(thread, {}, { dryRun: true });
    expect(takenBackOutcome(workspace.store, thread, dry)).toMatchObject({
      answer: { op_id: null, receipt: { effects: staying } },
    });
    const done = await workspace.undo(thread, {});
    expect(takenBackOutcome(workspace.store, thread, done)).toMatchObject({
      answer: {
        files_reverted: ["a.txt", "b.txt", "out.log"],
        receipt: { effects: staying, uncovered: ["huge.bin"] },
      },
    });
    const redone = await workspace.redo(thread, 1);
    expect(takenBackOutcome(workspace.store, thread, redone)).toMatchObject({ answer: { receipt: { effects: [] } } });
  });

  test("[X3] [X8] reverting one call names only the effects of that call", async () => {
    const [write, bash] = workspace.store.read(thread, ({ state }) => callsOf(state));
    const only = await workspace.revert(thread, { result: write?.id ?? "" }, { dryRun: true });
    expect(takenBackOutcome(workspace.store, thread, only)).toMatchObject({ answer: { receipt: { effects: [] } } });
    const other = await workspace.revert(thread, { result: bash?.id ?? "" }, { dryRun: true });
    const call_id = bash?.tool_result?.call_id;
    expect(takenBackOutcome(workspace.store, thread, other)).toMatchObject({
      answer: { receipt: { effects: [pushed, unconfined].map((effect) => ({ ...effect, call_id })) } },
    });
  });
});

function callsOf(state: State): Entry[] {
  return [...entries(state, activeTake(state))].filter(({ tool_result }) => tool_result);
}
