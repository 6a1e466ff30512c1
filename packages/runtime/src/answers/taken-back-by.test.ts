import { editEntry, entryAt, type History } from "@retake/core";
import { World } from "@retake/core/world";
import { expect, test } from "vitest";
import { takenBackBy } from "./taken-back-by.ts";

test("[U8] the way back of a step's redo is found without the changes of the turn before it", () => {
  const world = new World();
  const turn = world.turn("one", "1");
  const entry = entryAt(world.state, "t1", 0)?.id ?? "";
  world.must(editEntry(world.state, world.context(), { entry, content: "edited" }));
  world.undo({ steps: true });
  world.redo();
  const redo = world.log.at(-1);
  if (!redo) throw new Error("nothing was redone");
  expect(takenBackBy(without(world.history, world.startOf(turn)), redo)).toEqual({ taken_back_by: "undo-step" });
});

/** A history in which the operations of one group must not be read. */
function without(history: History, group: string): History {
  return new Proxy(history, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (name === "group" && args[0] === group) throw new Error("the turn before is read");
        return value.apply(target, args);
      };
    },
  });
}
