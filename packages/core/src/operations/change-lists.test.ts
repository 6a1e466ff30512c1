import { describe, expect, test } from "vitest";
import { branch } from "../history/branch.ts";
import { DEFAULT_ROLES } from "../session/entry.ts";
import { entries, roles } from "../session/view.ts";
import { visibleText, World } from "../testing/world.ts";
import { addPath, addRole, type PathList, pathsIn, removePath, removeRole } from "./change-lists.ts";
import { insertEntry } from "./insert-entry.ts";

const add = (world: World, list: PathList, path: string, more = {}) =>
  addPath(world.state, world.context(), { list, member: { path, ...more } });
const remove = (world: World, list: PathList, path: string) => removePath(world.state, world.context(), { list, path });
const paths = (world: World, list: PathList, take = "t1") => pathsIn(world.state, take, list).map(({ path }) => path);

describe("the list of roles", () => {
  test("[B5] [D4] adds any name at the end, trimmed, and removes it again", () => {
    const world = new World();
    world.must(addRole(world.state, world.context(), { role: " Bard " }));
    world.must(removeRole(world.state, world.context(), { role: "AI" }));
    expect(roles(world.state, "t1")).toEqual(["User", "Vendor API", "System", "Bard"]);
    world.undo({ steps: true });
    expect(roles(world.state, "t1")).toEqual([...DEFAULT_ROLES, "Bard"]);
  });

  test("[D4] [R4] a new entry gets the first role of the list, and the user's when the list is empty", () => {
    const world = new World();
    for (const role of DEFAULT_ROLES) world.must(removeRole(world.state, world.context(), { role }));
    expect(roles(world.state, "t1")).toEqual(["User"]);
    const made = world.must(insertEntry(world.state, world.context(), { entry: { id: "e" } }));
    expect(made.description).toBe("Insert User entry");
    world.must(addRole(world.state, world.context(), { role: "Bard" }));
    world.must(insertEntry(world.state, world.context(), { entry: { id: "f" } }));
    expect([...entries(world.state, "t1")].map((entry) => entry.role)).toEqual(["User", "Bard"]);
  });

  test("[O3] refuses to add a name twice, to remove a missing name, and invalid names", () => {
    const world = new World();
    expect(addRole(world.state, world.context(), { role: "User" })).toMatchObject({ code: "already-exists" });
    expect(addRole(world.state, world.context(), { role: "  " })).toMatchObject({ code: "invalid-input" });
    expect(removeRole(world.state, world.context(), { role: "Bard" })).toMatchObject({ code: "not-found" });
    expect(roles(world.state, "t1")).toEqual(DEFAULT_ROLES);
  });
});

describe.each<PathList>(["file", "context", "screenshot"])("the list of paths: %s", (list) => {
  test("[S2] keeps paths in the order in which they were added, with their other facts", () => {
    const world = new World();
    for (const path of ["b.ts", "a.ts", "c.ts"]) world.must(add(world, list, path, { lines: [1, path.length] }));
    expect(pathsIn(world.state, "t1", list)[1]).toEqual({ path: "a.ts", lines: [1, 4] });
    expect(paths(world, list)).toEqual(["b.ts", "a.ts", "c.ts"]);
  });

  test("[S2] [E4] undoing a removal puts the path back in its place; adding it again puts it last", () => {
    const world = new World();
    for (const path of ["b.ts", "a.ts", "c.ts"]) world.must(add(world, list, path));
    const before = visibleText(world.state);
    world.must(remove(world, list, "a.ts"));
    world.undo({ steps: true });
    expect(visibleText(world.state)).toBe(before);
    world.must(remove(world, list, "b.ts"));
    world.must(add(world, list, "b.ts"));
    expect(paths(world, list)).toEqual(["a.ts", "c.ts", "b.ts"]);
  });

  test("[O3] refuses to add a path twice, to remove a missing path, and invalid paths", () => {
    const world = new World();
    world.must(add(world, list, "a.ts"));
    expect(add(world, list, "a.ts")).toMatchObject({ code: "already-exists" });
    expect(add(world, list, "")).toMatchObject({ code: "invalid-input" });
    expect(remove(world, list, "b.ts")).toMatchObject({ code: "not-found" });
    expect(paths(world, list)).toEqual(["a.ts"]);
  });
});

describe("the lists of paths", () => {
  test("[S2] [T1] are independent of one another, and each take has its own", () => {
    const world = new World();
    world.turn("one");
    world.must(add(world, "file", "same.ts"));
    world.must(add(world, "context", "same.ts"));
    const entry = [...entries(world.state, "t1")][1]?.id ?? "";
    world.must(branch(world.history, world.context(), { entry, take: "t2" }));
    world.must(remove(world, "file", "same.ts"));
    expect([paths(world, "file", "t2"), paths(world, "context", "t2")]).toEqual([[], ["same.ts"]]);
    expect([paths(world, "file", "t1"), paths(world, "context", "t1")]).toEqual([["same.ts"], ["same.ts"]]);
  });

  test("[O3] refuses a list of any other name", () => {
    const world = new World();
    expect(add(world, "entry" as PathList, "a.ts")).toMatchObject({ code: "invalid-input" });
    expect(remove(world, "entry" as PathList, "a.ts")).toMatchObject({ code: "not-found" });
  });
});
