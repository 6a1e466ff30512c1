import { describe, expect, test } from "vitest";
import { entryAt, entryById, runningTurn, turn } from "../session/view.ts";
import { World } from "../testing/world.ts";
import { endTool, finishTurn, startTool, startTurn, streamTurn } from "./turn.ts";

const turn_id = "run";

function running(): World {
  const world = new World();
  world.must(startTurn(world.state, world.context(), { turn_id, prompt: { id: "p", content: "go" } }));
  world.must(startTool(world.state, world.context(), { turn_id, entry: "tool", call: { id: "c", name: "shell" } }));
  return world;
}

describe("a turn", () => {
  test("[D1] streamed fields cannot say which entry it is, where it stands or whose it is", () => {
    const world = running();
    for (const name of ["id", "order", "turn_id"]) {
      const fields = { [name]: "other" };
      const streamed = streamTurn(world.state, world.context(), { turn_id, entry: "a", text: "x", fields });
      const ended = endTool(world.state, world.context(), {
        ...{ turn_id, entry: "tool", status: "completed", content: "", fields },
      });
      expect([streamed, ended]).toMatchObject([{ code: "invalid-input" }, { code: "invalid-input" }]);
    }
  });

  test("[L9] a tool that ran when the process was killed is unknown, and interrupted otherwise", () => {
    for (const [crashed, status] of [
      [true, "unknown"],
      [false, "interrupted"],
    ] as const) {
      const world = running();
      world.must(finishTurn(world.state, world.context(), { turn_id, status: "interrupted", crashed }));
      expect(entryById(world.state, "t1", "tool")?.tool_result?.status).toBe(status);
      expect(runningTurn(world.state, "t1")).toBeUndefined();
      expect(turn(world.state, "t1", turn_id)?.status).toBe("interrupted");
    }
  });

  test("[E2] what it writes stands behind its prompt, in the order of writing", () => {
    const world = running();
    world.must(streamTurn(world.state, world.context(), { turn_id, entry: "a", text: "done" }));
    expect([0, 1, 2].map((index) => entryAt(world.state, "t1", index)?.id)).toEqual(["p", "tool", "a"]);
  });
});
