import { describe, expect, test } from "vitest";
import { branch } from "../history/branch.ts";
import { MemoryHistory } from "../history/history.ts";
import { entryAt } from "../session/view.ts";
import { everyOperation } from "../testing/every-operation.ts";
import { visible, World } from "../testing/world.ts";
import { checkpointFormat } from "./checkpoint-format.ts";
import { decode, encode } from "./versioned.ts";

function copy(world: World) {
  const decoded = decode(checkpointFormat, JSON.parse(JSON.stringify(encode(checkpointFormat, world.state))));
  if (decoded.kind !== "decoded") throw new Error(decoded.message);
  return decoded.value;
}

describe("checkpoints", () => {
  test("[H1] [W1] a state reads back as it was written, versions and order included", () => {
    const world = everyOperation();
    const state = copy(world);
    expect(visible(state)).toEqual(visible(world.state));
    expect([state.head, state.version, state.typing]).toEqual([
      world.state.head,
      world.state.version,
      world.state.typing,
    ]);
  });

  test("[H1] a thread opened from a checkpoint continues, and reads older operations only when needed", () => {
    const world = everyOperation();
    const asked: string[] = [];
    const operations = new Map(world.log.map((operation) => [operation.id, operation]));
    const history = new MemoryHistory(copy(world), {
      operation: (id) => {
        asked.push(id);
        return operations.get(id);
      },
      group: (id) => world.history.group(id),
    });
    expect(asked).toEqual([]);
    for (const operation of world.log)
      expect(visible(history.stateAt(operation.id))).toEqual(visible(world.history.stateAt(operation.id)));
  });

  test("[O2] takes that share entries also share them in a checkpoint", () => {
    const world = new World();
    for (let index = 0; index < 50; index += 1) world.turn(`prompt ${index}`);
    const alone = JSON.stringify(encode(checkpointFormat, world.state)).length;
    world.must(branch(world.history, world.context(), { entry: entryAt(world.state, "t1", 99)?.id ?? "", take: "t2" }));
    const shared = JSON.stringify(encode(checkpointFormat, world.state)).length;
    expect(shared).toBeLessThan(alone * 1.3);
  });

  const whole = encode(checkpointFormat, new World().state) as Record<string, never>;
  const wrong: [string, unknown][] = [
    ["a reference to nothing", { ...whole, thread: [["active", 99]] }],
    [
      "records out of order",
      {
        ...whole,
        thread: [
          ["b", 0],
          ["a", 0],
        ],
      },
    ],
    ["values that are no objects", { ...whole, values: [1] }],
    ["no takes", { ...whole, takes: undefined }],
  ];
  test.each(wrong)("[S3] [W2] %s is unreadable, not an exception", (_, json) => {
    expect(decode(checkpointFormat, json)).toMatchObject({ kind: "unreadable", code: "malformed" });
  });
});
