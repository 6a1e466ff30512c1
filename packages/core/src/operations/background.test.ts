import { expect, test } from "vitest";
import { entryById } from "../session/view.ts";
import { World } from "../testing/world.ts";
import { noteBackground } from "./background.ts";
import { endTool, startTool, startTurn } from "./turn.ts";

test("[AG34] the receipt of a background command lists a hundred paths at most, and counts the others", () => {
  const world = new World();
  const call = { id: "c1", name: "bash" };
  const inTurn = { turn_id: "t", entry: "r" };
  world.must(startTurn(world.state, world.context(), { turn_id: "t", prompt: { id: "p", content: "go" } }));
  world.must(startTool(world.state, world.context(), { ...inTurn, call }));
  world.must(endTool(world.state, world.context(), { ...inTurn, status: "completed", content: "bash-1" }));
  const note = (from: number, to: number, omitted: number) => {
    const files_changed = Array.from({ length: to - from }, (_, index) => `f${from + index}`);
    const calls = [{ entry: "r", state: { name: "bash-1", status: "running" } }];
    const receipt = { files_changed, ignored_changed: [], omitted };
    world.must(noteBackground(world.state, world.context(), { turn_id: "t", calls, tree: `tree-${to}`, receipt }));
    return entryById(world.state, "t1", "r")?.receipt as { files_changed: string[]; omitted: number };
  };
  expect(note(0, 60, 0)).toMatchObject({ files_changed: { length: 60 }, omitted: 0 });
  // Twenty of these are in the list already.
  const { files_changed, omitted } = note(40, 120, 5);
  expect(files_changed).toEqual(Array.from({ length: 100 }, (_, index) => `f${index}`));
  expect(omitted).toBe(25);
});
