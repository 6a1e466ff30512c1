import { describe, expect, test } from "vitest";
import { entries, entryAt, entryById, runningTurn, setting, turn } from "../session/view.ts";
import { World } from "../testing/world.ts";
import { changeSetting } from "./change-settings.ts";
import {
  discardStep,
  endTool,
  finishTurn,
  progressTool,
  proposeTool,
  startTool,
  startTurn,
  streamTurn,
} from "./turn.ts";

const call = { id: "c1", name: "bash" };

function running(): World {
  const world = new World();
  world.must(startTurn(world.state, world.context(), { turn_id: "t", prompt: { id: "p", content: "go" } }));
  return world;
}

describe("a turn's operations", () => {
  test("[L2] a call is proposed, starts, progresses and ends, all in one entry", () => {
    const world = running();
    world.must(proposeTool(world.state, world.context(), { turn_id: "t", entry: "r", call }));
    expect(entryById(world.state, "t1", "r")?.tool_result).toEqual({ call_id: "c1", name: "bash", status: "pending" });
    world.must(startTool(world.state, world.context(), { turn_id: "t", entry: "r", call }));
    world.must(
      progressTool(world.state, world.context(), {
        turn_id: "t",
        entry: "r",
        text: "so ",
        progress: { fraction: 0.1 },
      }),
    );
    world.must(progressTool(world.state, world.context(), { turn_id: "t", entry: "r", text: "far" }));
    expect(entryById(world.state, "t1", "r")).toMatchObject({
      content: "so far",
      tool_result: { status: "running", progress: { fraction: 0.1 } },
    });
    world.must(
      endTool(world.state, world.context(), { turn_id: "t", entry: "r", status: "completed", content: "all" }),
    );
    expect(entryById(world.state, "t1", "r")).toMatchObject({
      role: "Tool",
      content: "all",
      tool_result: { status: "completed" },
    });
    expect(entryById(world.state, "t1", "r")?.tool_result).not.toHaveProperty("progress");
  });

  test("[AG25] a call that never ran can end as denied; a call that ended cannot end again", () => {
    const world = running();
    world.must(proposeTool(world.state, world.context(), { turn_id: "t", entry: "r", call }));
    world.must(endTool(world.state, world.context(), { turn_id: "t", entry: "r", status: "denied", content: "no" }));
    expect(
      endTool(world.state, world.context(), { turn_id: "t", entry: "r", status: "failed", content: "" }),
    ).toMatchObject({ code: "not-found" });
  });

  test("[L9] calls that are open when their turn ends become interrupted", () => {
    const world = running();
    world.must(proposeTool(world.state, world.context(), { turn_id: "t", entry: "r1", call }));
    world.must(
      proposeTool(world.state, world.context(), { turn_id: "t", entry: "r2", call: { id: "c2", name: "write" } }),
    );
    world.must(startTool(world.state, world.context(), { turn_id: "t", entry: "r1", call }));
    world.must(finishTurn(world.state, world.context(), { turn_id: "t", status: "interrupted", tree: "after" }));
    expect(entryById(world.state, "t1", "r1")?.tool_result?.status).toBe("interrupted");
    expect(entryById(world.state, "t1", "r2")?.tool_result?.status).toBe("interrupted");
    expect(runningTurn(world.state, "t1")).toBeUndefined();
    expect(turn(world.state, "t1", "t")).toMatchObject({
      status: "interrupted",
      tree_before: "tree-0",
      tree_after: "after",
    });
  });

  test("[F36] the prompt of a failed turn is marked when there was no answer, and only then", () => {
    const silent = running();
    silent.must(finishTurn(silent.state, silent.context(), { turn_id: "t", status: "failed" }));
    expect([...entries(silent.state, "t1")]).toMatchObject([{ content: "go", failed: true }]);
    const said = running();
    said.must(streamTurn(said.state, said.context(), { turn_id: "t", entry: "a", text: "half" }));
    said.must(finishTurn(said.state, said.context(), { turn_id: "t", status: "failed" }));
    expect([...entries(said.state, "t1")].map(({ failed }) => failed)).toEqual([undefined, undefined]);
  });

  test("[A2] an answer is read as Markdown from its first words on", () => {
    const world = running();
    world.must(streamTurn(world.state, world.context(), { turn_id: "t", entry: "a", text: "# A " }));
    expect(entryById(world.state, "t1", "a")?.read_mode).toBe(true);
  });

  test("[AG43] discards the text of a failed attempt, and the next one begins with nothing", () => {
    const world = running();
    world.must(streamTurn(world.state, world.context(), { turn_id: "t", entry: "a", text: "half of an ans" }));
    world.must(discardStep(world.state, world.context(), { turn_id: "t", entry: "a" }));
    world.must(streamTurn(world.state, world.context(), { turn_id: "t", entry: "a", text: "whole" }));
    expect(world.contents()).toEqual(["go", "whole"]);
  });

  test("[O2] streaming stores each new piece, not the whole answer again", () => {
    const world = running();
    const parts = Array.from({ length: 200 }, (_, index) => `part ${index} of a long answer. `);
    for (const text of parts) world.must(streamTurn(world.state, world.context(), { turn_id: "t", entry: "a", text }));
    const answer = parts.join("");
    expect(entryById(world.state, "t1", "a")?.content).toBe(answer);
    const stored = world.log.reduce((sum, operation) => sum + JSON.stringify(operation.diff).length, 0);
    expect(stored).toBeLessThan(answer.length * 10);
  });

  test("[E6] while a turn runs only it changes its entries, and no other turn can write", () => {
    const world = running();
    expect(
      startTurn(world.state, world.context(), { turn_id: "u", prompt: { id: "q", content: "more" } }),
    ).toMatchObject({ code: "agent-running" });
    expect(streamTurn(world.state, world.context(), { turn_id: "other", entry: "a", text: "x" })).toMatchObject({
      code: "no-such-turn",
    });
    world.must(finishTurn(world.state, world.context(), { turn_id: "t", status: "finished" }));
    expect(streamTurn(world.state, world.context(), { turn_id: "t", entry: "a", text: "late" })).toMatchObject({
      code: "no-such-turn",
    });
  });

  test("[H7] sending a draft empties it; another draft stays, and an empty prompt is refused", () => {
    for (const [draft, left] of [
      [" go\n", ""],
      ["something else", "something else"],
    ] as const) {
      const world = new World();
      world.must(changeSetting(world.state, world.context(), { field: "draft", value: draft }));
      world.must(startTurn(world.state, world.context(), { turn_id: "t", prompt: { id: "p", content: "go" } }));
      expect(setting(world.state, "t1", "draft")).toBe(left);
    }
    const prompt = { id: "p", content: " \n" };
    expect(startTurn(new World().state, new World().context(), { turn_id: "t", prompt })).toMatchObject({
      code: "invalid-input",
    });
  });

  test("[D1] fields from outside cannot set an entry's id, order or turn", () => {
    const world = running();
    world.must(startTool(world.state, world.context(), { turn_id: "t", entry: "r", call }));
    for (const name of ["id", "order", "turn_id"]) {
      const fields = { [name]: "other" };
      const end = { turn_id: "t", entry: "r", status: "completed", content: "", fields } as const;
      const answers = [
        streamTurn(world.state, world.context(), { turn_id: "t", entry: "a", text: "x", fields }),
        proposeTool(world.state, world.context(), { turn_id: "t", entry: "s", call, fields }),
        endTool(world.state, world.context(), end),
      ];
      expect(answers.map((answer) => "code" in answer && answer.code)).toEqual(Array(3).fill("invalid-input"));
    }
  });

  test("[E2] writes its entries after its prompt, in the order of writing", () => {
    const world = running();
    world.must(startTool(world.state, world.context(), { turn_id: "t", entry: "r", call }));
    world.must(streamTurn(world.state, world.context(), { turn_id: "t", entry: "a", text: "done" }));
    expect([0, 1, 2].map((index) => entryAt(world.state, "t1", index)?.id)).toEqual(["p", "r", "a"]);
  });

  test("[X4] [X8] [G4] a finished turn keeps its receipt; an invalid receipt is refused", () => {
    const world = running();
    const receipt = {
      files: 3,
      bytes: 40,
      files_changed: ["a.txt"],
      ignored_changed: [],
      uncovered_changed: [],
      omitted: 0,
      uncovered: [{ path: "node_modules", reason: "cache" }],
      effects: [{ call_id: "c1", tool: "bash", what: "git push" }],
    };
    const finish = (given: object) =>
      finishTurn(world.state, world.context(), { turn_id: "t", status: "finished", receipt: given as typeof receipt });
    expect(finish({ ...receipt, effects: ["git push"] })).toMatchObject({ code: "invalid-input" });
    world.must(finish(receipt));
    expect(turn(world.state, "t1", "t")).toMatchObject({ status: "finished", receipt });
  });
});
