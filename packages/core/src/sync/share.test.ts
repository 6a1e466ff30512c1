import { describe, expect, test } from "vitest";
import { World } from "../testing/world.ts";
import { readShareDocument, shareDocument } from "./share.ts";

describe("the document of a share", () => {
  const shared = (world: World) => JSON.parse(JSON.stringify(shareDocument(world.state, 1_700_000_000_000)));

  test("[X16] has the entries of the active take as they are now, and nothing that was undone", () => {
    const world = new World();
    world.turn("kept prompt", "kept answer", "tree-1");
    world.turn("undone prompt", "undone answer", "tree-2");
    world.undo();
    const document = shared(world);
    expect(document.entries.map(({ role, content, turn }: Record<string, unknown>) => [role, content, turn])).toEqual([
      ["User", "kept prompt", 1],
      ["AI", "kept answer", 1],
    ]);
    expect(JSON.stringify(document)).not.toMatch(/undone|tree-/);
    expect(readShareDocument(document)).toEqual({ kind: "document", document });
  });

  test("[X16] is refused when it is newer, is damaged, or is something else", () => {
    const world = new World();
    world.turn("prompt", "answer", "tree-1");
    const document = shared(world);
    expect(readShareDocument({ ...document, format_version: 2 })).toMatchObject({ code: "newer-version" });
    expect(readShareDocument({ ...document, entries: [{ role: 1 }] })).toMatchObject({ code: "damaged" });
    for (const other of [null, [], {}, { ...document, format: "retake-thread" }])
      expect(readShareDocument(other)).toMatchObject({ code: "damaged" });
  });
});
