import { describe, expect, test } from "vitest";
import { editEntry } from "../operations/edit-entry.ts";
import { insertEntry } from "../operations/insert-entry.ts";
import { startTurn } from "../operations/turn.ts";
import { clearEntries } from "../operations/whole-conversation.ts";
import { entryAt, setting, tree } from "../session/view.ts";
import { World } from "../testing/world.ts";
import { branch } from "./branch.ts";
import { canRedo, listHistory } from "./list.ts";
import { planRetry } from "./retry-plan.ts";

describe("retry", () => {
  test("[P3] [H16] replaces the last turn by a new one, and one undo brings the first answer back", () => {
    const world = new World();
    world.turn("one", "1", "tree-1");
    world.turn("two", "first answer", "tree-2");
    const before = world.records();
    world.retry(undefined, "tree-3");
    expect(world.contents()).toEqual(["one", "1", "two", "another answer"]);
    expect(canRedo(world.history)).toBe(false);
    const after = world.records();

    world.undo();
    expect(world.records()).toEqual(before);
    world.redo();
    expect(world.records()).toEqual(after);
    world.undo({ count: 2 });
    expect(world.contents()).toEqual(["one", "1"]);
    expect(tree(world.state, "t1")).toBe("tree-1");
  });

  test("[P3] sends the prompt as it is now, or another one, and leaves the draft alone", () => {
    const world = new World();
    world.turn("one");
    const prompt = entryAt(world.state, "t1", 0)?.id ?? "";
    world.must(editEntry(world.state, world.context(), { entry: prompt, content: "one, edited" }));
    expect(planRetry(world.history)).toMatchObject({ kind: "retry", prompt: "one, edited" });
    world.retry("another");
    expect(world.contents()).toEqual(["another", "another answer"]);
    expect(setting(world.state, "t1", "draft")).toBe("");
  });

  test("[P3] is refused without a turn, while a turn runs, and when the last step is not a turn", () => {
    const world = new World();
    expect(planRetry(world.history)).toMatchObject({ kind: "refused", code: "no-such-turn" });
    world.turn("one");
    world.must(clearEntries(world.state, world.context()));
    expect(planRetry(world.history)).toMatchObject({
      code: "no-such-turn",
      message: expect.stringContaining("Clear 2 entries"),
    });
    world.undo();
    expect(planRetry(world.history)).toMatchObject({ kind: "retry" });
    const start = { turn_id: "go", prompt: { id: "p", content: "go" } };
    expect(startTurn(world.state, world.context(), { ...start, retries: "op1" })).toMatchObject({
      code: "invalid-input",
    });
    world.must(startTurn(world.state, world.context(), start));
    expect(planRetry(world.history)).toMatchObject({ code: "agent-running" });
  });

  test("[P3] [S1] a retry can be retried, and each try stays in the history", () => {
    const world = new World();
    world.turn("one", "1", "tree-1");
    world.retry(undefined, "tree-2");
    world.retry("other", "tree-3");
    expect(world.contents()).toEqual(["other", "another answer"]);
    const started = [...listHistory(world.history)].filter(({ operation }) => operation.kind === "turn-started");
    expect(started.map(({ undone }) => undone)).toEqual([false, true, true]);
    world.undo();
    expect([world.contents(), tree(world.state, "t1")]).toEqual([["one", "another answer"], "tree-2"]);
    world.undo();
    expect([world.contents(), tree(world.state, "t1")]).toEqual([["one", "1"], "tree-1"]);
    world.undo();
    expect([world.contents(), tree(world.state, "t1")]).toEqual([[], "tree-0"]);
    world.redo(3);
    expect([world.contents(), tree(world.state, "t1")]).toEqual([["other", "another answer"], "tree-3"]);
  });

  test("[H2] in a branch that left the second try out, undo does not bring the first back", () => {
    const world = new World();
    world.turn("zero", "0");
    world.turn("one", "1", "tree-1");
    world.must(insertEntry(world.state, world.context(), { entry: { id: "note", content: "note" } }));
    world.retry();
    world.must(branch(world.history, world.context(), { entry: "note", take: "t2" }));
    expect(world.contents()).toEqual(["zero", "0", "note"]);
    world.undo();
    expect(world.contents()).toEqual(["note"]);
  });

  test("[X3] [H10] reverting a retry in the middle brings the first answer back", () => {
    const world = new World();
    world.turn("one", "1");
    const turn = world.retry();
    world.turn("two", "2");
    world.revert({ operation: world.startOf(turn) });
    expect(world.contents()).toEqual(["one", "1", "two", "2"]);
  });
});
