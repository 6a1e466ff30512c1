import { describe, expect, test } from "vitest";
import type { Built } from "../session/draft.ts";
import { entryById } from "../session/view.ts";
import { World } from "../testing/world.ts";
import { editEntry, patchEntry, showAllEntries } from "./edit-entry.ts";
import { insertEntry } from "./insert-entry.ts";
import { startTurn } from "./turn.ts";

type Edit = (world: World) => Built;

const EDITS: readonly [string, Edit, object][] = [
  ["[A1] text", (w) => editEntry(w.state, w.context(), { entry: "e", content: "new" }), { content: "new" }],
  [
    "[A2] read mode",
    (w) => patchEntry(w.state, w.context(), { entry: "e", patch: { read_mode: true } }),
    { read_mode: true },
  ],
  [
    "[A3] collapse",
    (w) => patchEntry(w.state, w.context(), { entry: "e", patch: { collapsed: true } }),
    { collapsed: true },
  ],
  [
    "[A4] [D4] any role",
    (w) => patchEntry(w.state, w.context(), { entry: "e", patch: { role: "Bard" } }),
    { role: "Bard" },
  ],
  ["[B2] collapse all", (w) => showAllEntries(w.state, w.context(), { collapsed: true }), { collapsed: true }],
  ["[D1] open keys", (w) => patchEntry(w.state, w.context(), { entry: "e", patch: { mine: [1] } }), { mine: [1] }],
];

function withEntry(): World {
  const world = new World();
  world.must(insertEntry(world.state, world.context(), { entry: { id: "e", content: "old", kept: "as it is" } }));
  return world;
}

describe("editing an entry", () => {
  test.each(EDITS)("%s: changes its fields, keeps the rest, and is refused the second time", (_, edit, fields) => {
    const world = withEntry();
    const before = entryById(world.state, "t1", "e");
    world.must(edit(world));
    expect(entryById(world.state, "t1", "e")).toEqual({ ...before, ...fields });
    expect(edit(world)).toMatchObject({ kind: "refused", code: "nothing-to-do" });
  });

  test("[D1] null removes an open key, and the fields that identify an entry cannot be changed", () => {
    const world = withEntry();
    world.must(patchEntry(world.state, world.context(), { entry: "e", patch: { kept: null } }));
    expect(entryById(world.state, "t1", "e")).not.toHaveProperty("kept");
    const patched = patchEntry(world.state, world.context(), { entry: "e", patch: { order: "z" } });
    expect(patched).toMatchObject({ code: "invalid-input" });
  });

  test("[E6] while a turn runs its entries cannot be edited, but others can", () => {
    const world = withEntry();
    world.must(startTurn(world.state, world.context(), { turn_id: "run", prompt: { id: "p", content: "go" } }));
    const own = editEntry(world.state, world.context(), { entry: "p", content: "x" });
    expect(own).toMatchObject({ code: "agent-running" });
    world.must(editEntry(world.state, world.context(), { entry: "e", content: "x" }));
  });
});
