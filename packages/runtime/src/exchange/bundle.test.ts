import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  activeTake,
  addPath,
  changeSetting,
  editEntry,
  entries,
  insertEntry,
  liveTakes,
  pathsIn,
  tree,
} from "@retake/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { portableThread } from "./portable-thread.ts";
import { type BundlePlace, BundlePlaces, linesOf, linesOfKind } from "./testing/bundle-place.ts";

const places = new BundlePlaces();
let here: BundlePlace;
let _there: BundlePlace;
let thread: string;
let middle: string;
let bundle: Buffer;

beforeAll(async () => {
  here = places.open("here");
  _there = places.open("there");
  ({ thread, middle, bundle } = await here.exampleThread());
});
afterAll(() => places.close());

/** But for which take is active: that is a fact of each device. */
const documentOf = ({ workspace }: BundlePlace) => {
  const document = workspace.store.read(thread, ({ state }) => portableThread(state));
  return { ...document, takes: document.takes.map(({ active: _, ...take }) => take) };
};
const bodies = (bytes: Uint8Array) => linesOfKind(linesOf(bytes), "operation");

describe("a bundle", () => {
  test("[X12] brings a thread to another machine with its history and the files of every point", async () => {
    const elsewhere = places.open("elsewhere");
    expect(await elsewhere.import(bundle)).toEqual({
      kind: "imported",
      format: "bundle",
      threads: [thread],
      operations: bodies(bundle).length,
      left_out: [],
    });
    const { workspace } = elsewhere;
    expect(workspace.threads()).toMatchObject([{ id: thread, workspace_root: workspace.root, title: "login" }]);
    expect(documentOf(elsewhere)).toEqual(documentOf(here));
    expect(await workspace.jump(thread, { operation: middle })).toMatchObject({ kind: "done" });
    expect(readFileSync(join(workspace.root, "a.txt"), "utf8")).toBe("one\n");
    expect(existsSync(join(workspace.root, "d"))).toBe(false);
    expect(elsewhere.examine()).toEqual({ healthy: true, problems: [] });
  });

  test("[X12] imported twice, adds nothing the second time", async () => {
    const elsewhere = places.open("twice");
    await elsewhere.import(bundle);
    const before = await elsewhere.bundle(thread);
    expect(await elsewhere.import(bundle)).toMatchObject({ kind: "imported", threads: [thread], operations: 0 });
    expect(await elsewhere.bundle(thread)).toEqual(before);
  });

  test("[X12] of a past point brings the operations before it, and a later bundle the rest", async () => {
    const elsewhere = places.open("growing");
    await elsewhere.import(await here.bundle(thread, middle));
    expect(elsewhere.head(thread)).toBe(middle);
    expect(await elsewhere.import(bundle)).toMatchObject({ kind: "imported" });
    expect(await elsewhere.import(await here.bundle(thread, middle))).toMatchObject({ operations: 0 });
    expect(elsewhere.head(thread)).toBe(here.head(thread));
    expect(bodies(await elsewhere.bundle(thread))).toEqual(bodies(bundle));
    expect(elsewhere.examine()).toEqual({ healthy: true, problems: [] });
  });

  test("[X12] [L7] [M1] of a thread that has diverged is merged, and both sides reach the same head", async () => {
    const [one, two] = [places.open("diverged"), places.open("other side")];
    for (const [place, id] of [
      [one, "mine"],
      [two, "yours"],
    ] as const) {
      await place.import(await here.bundle(thread, middle));
      place.workspace.store.change(thread, (state, context) =>
        insertEntry(state, context, { entry: { id, content: id } }),
      );
    }
    const [first, second] = [await one.bundle(thread), await two.bundle(thread)];
    expect(await one.import(second)).toMatchObject({ kind: "imported" });
    expect(await two.import(first)).toMatchObject({ kind: "imported" });
    const said = ({ workspace }: BundlePlace) =>
      workspace.store.read(thread, ({ state }) =>
        liveTakes(state)
          .flatMap(({ id }) => [...entries(state, id)].map((entry) => entry.id))
          .filter((id) => id === "mine" || id === "yours")
          .sort(),
      );
    expect([said(one), said(two)]).toEqual([
      ["mine", "yours"],
      ["mine", "yours"],
    ]);
    for (const [from, to] of [
      [one, two],
      [two, one],
      [one, two],
    ] as const)
      await to.import(await from.bundle(thread));
    expect(bodies(await one.bundle(thread))).toEqual(bodies(await two.bundle(thread)));
    for (const place of [one, two]) expect(place.examine()).toEqual({ healthy: true, problems: [] });
  });

  test("[X12] contains the files of named trees, and only the names of the captures between them", async () => {
    const [from, to] = [places.open("between"), places.open("beyond")];
    writeFileSync(join(from.workspace.root, "secret"), "older than the thread");
    await from.workspace.newThread("older");
    writeFileSync(join(from.workspace.root, "secret"), "begun with");
    const own = await from.workspace.newThread("own");
    writeFileSync(join(from.workspace.root, "secret"), "between");
    await from.workspace.files(own).capture();
    writeFileSync(join(from.workspace.root, "secret"), "noted");
    await from.say(own, "write a: a");
    const bytes = await from.bundle(own);
    const contents = linesOfKind(linesOf(bytes), "part").map((line) =>
      Buffer.from(String(line["content"]), "base64").toString(),
    );
    expect(contents.sort()).toEqual(["a", "begun with", "noted"]);
    expect(await to.import(bytes)).toMatchObject({ kind: "imported" });
    expect(to.examine()).toEqual({ healthy: true, problems: [] });
    // Elsewhere nothing is left between them; the names stay.
    expect(bodies(await to.bundle(own))).toEqual(bodies(bytes));
    const third = places.open("third");
    await third.import(await to.bundle(own));
    expect(third.examine()).toEqual({ healthy: true, problems: [] });
    expect(documentOfOwn(third, own)).toBe(documentOfOwn(from, own));
  });

  test("[X12] of history whose files gc deleted contains the remaining files", async () => {
    const [from, to] = [places.open("given-up"), places.open("given-to")];
    const own = await from.workspace.newThread("own");
    for (const text of ["one", "two", "three", "four"]) await from.say(own, `write ${text}: ${text}`);
    expect(await from.workspace.collectGarbage({ turns: 1 })).toMatchObject({ kind: "collected" });
    expect(from.examine()).toEqual({ healthy: true, problems: [] });
    expect(await to.import(await from.bundle(own))).toMatchObject({ kind: "imported" });
    expect(to.examine()).toEqual({ healthy: true, problems: [] });
    expect(await to.workspace.undo(own, {})).toMatchObject({ kind: "done" });
  });

  test("[X12] [F6] [F7] leaves out approval rules and files outside the workspace, and says so", async () => {
    const [from, to] = [places.open("ruled"), places.open("unruled")];
    const own = await from.workspace.newThread("own");
    const value = [{ tool: "*", decision: "allow" }];
    // As version 0.1.0 recorded them: a setting like any other.
    from.workspace.store.change(own, (state, context) => {
      const built = changeSetting(state, context, { field: "model", value: "scripted/other" });
      if (built.kind !== "operation") throw new Error(built.message);
      return JSON.parse(
        JSON.stringify(built)
          .replace(/setting:model/g, "setting:approval_rules")
          .replace('"scripted/other"', JSON.stringify(value)),
      );
    });
    for (const path of ["../../.ssh/id_rsa", "/etc/hostname", "~/.netrc", "d/../a.txt"])
      from.workspace.store.change(own, (state, context) =>
        addPath(state, context, { list: "context", member: { path } }),
      );
    expect(await to.import(await from.bundle(own))).toMatchObject({
      left_out: [
        { what: "rule" },
        { what: "context", path: "../../.ssh/id_rsa" },
        { what: "context", path: "/etc/hostname" },
        { what: "context", path: "~/.netrc" },
      ],
    });
    const read = to.workspace.store.read(own, ({ state }) => ({
      context: pathsIn(state, activeTake(state), "context"),
    }));
    expect(to.workspace.store.approvals.of(to.workspace.root).rules).toEqual([]);
    expect(read).toEqual({ context: [{ path: "d/../a.txt" }] });
    expect(to.examine()).toEqual({ healthy: true, problems: [] });
  });

  test("[F9] holds back what ignore rules name, says so, and leaves the files of who imports it alone", async () => {
    const [from, to] = [places.open("ignoring"), places.open("ignorant")];
    const { root } = from.workspace;
    writeFileSync(join(root, ".gitignore"), ".env\n*.log\n");
    writeFileSync(join(root, ".env"), "SECRET=1\n");
    const own = await from.workspace.newThread("own");
    await from.say(own, "write made.log: from a turn\nwrite a: one");
    writeFileSync(join(root, ".env"), "SECRET=2\n");
    await from.say(own, "append made.log:  twice\nwrite a: two");
    await from.say(own, "write a: three");
    const texts = (bytes: Buffer) =>
      linesOfKind(linesOf(bytes), "part")
        .map((part) => Buffer.from(String(part["content"]), "base64").toString())
        .join("\n");
    const plain = await from.export(own, {});
    expect(plain.held_back).toEqual([
      { path: ".env", changed_by_turn: false },
      { path: "made.log", changed_by_turn: true },
    ]);
    expect(texts(plain.bytes)).not.toMatch(/SECRET|from a turn/);
    const all = await from.export(own, { withIgnored: true });
    expect(all.held_back).toEqual([{ path: ".env", changed_by_turn: false }]);
    expect(texts(all.bytes)).toMatch(/from a turn/);
    expect(texts(all.bytes)).not.toMatch(/SECRET/);
    writeFileSync(join(to.workspace.root, ".env"), "mine");
    // The second bundle fits on the first in either order.
    for (const { bytes } of [plain, all]) {
      expect(await to.import(bytes)).toMatchObject({ kind: "imported" });
      expect(to.examine()).toEqual({ healthy: true, problems: [] });
    }
    const begun = bodies(plain.bytes).map(({ body }) => JSON.parse(String(body)) as { id: string; kind: string });
    for (const { id } of begun.filter(({ kind }) => kind === "turn-finished").reverse()) {
      expect(await to.workspace.jump(own, { operation: id }, { onConflict: "overwrite" })).toMatchObject({
        kind: "done",
      });
      expect(readFileSync(join(to.workspace.root, ".env"), "utf8")).toBe("mine");
    }
    expect(readFileSync(join(to.workspace.root, "a"), "utf8")).toBe("one");
    const again = places.open("third");
    expect(await again.import((await to.export(own, { withIgnored: true })).bytes)).toMatchObject({ kind: "imported" });
    expect(again.examine()).toEqual({ healthy: true, problems: [] });
    expect(await from.import((await to.export(own, {})).bytes)).toMatchObject({ kind: "imported" });
    expect(from.examine()).toEqual({ healthy: true, problems: [] });
  });

  test("[F38] does not change the input of tools, whatever the names of its fields", async () => {
    const [from, to] = [places.open("fields"), places.open("same-fields")];
    const own = await from.workspace.newThread("own");
    const entry = {
      id: "call",
      content: "",
      input: { tree: "oak", tree_before: "acorn", files: { tree: { before: "x" } } },
    };
    from.workspace.store.change(own, (state, context) => insertEntry(state, context, { entry }));
    expect(await to.import(await from.bundle(own))).toMatchObject({ kind: "imported" });
    const read = to.workspace.store.read(own, ({ state }) => [...entries(state, activeTake(state))]);
    expect(read).toMatchObject([{ input: entry.input }]);
    expect(bodies(await to.bundle(own))).toEqual(bodies(await from.bundle(own)));
  });
});

function documentOfOwn({ workspace }: BundlePlace, own: string): string {
  return JSON.stringify(workspace.store.read(own, ({ state }) => portableThread(state)));
}

test("[S3] a bundle of version 0.1.0 is imported", async () => {
  const elsewhere = places.open("old");
  const old = readFileSync(join(import.meta.dirname, "..", "store", "fixtures", "0.1.0", "files.bundle"));
  const done = await elsewhere.import(old);
  expect(done).toMatchObject({ kind: "imported", format: "bundle" });
  const [own = ""] = "threads" in done ? done.threads : [];
  const name = elsewhere.workspace.store.read(own, ({ state }) => tree(state, activeTake(state)));
  expect([...elsewhere.workspace.files(own).files(name).entries()].map(([path]) => path)).toContain("a.txt");
  const again = places.open("old-again");
  await again.import(await elsewhere.bundle(own));
  expect(again.examine()).toEqual({ healthy: true, problems: [] });
});

test("[X12] a thread with an entry changed elsewhere comes back with the change", async () => {
  const [one, two] = [places.open("one"), places.open("two")];
  const own = await one.workspace.newThread("own");
  one.workspace.store.change(own, (state, context) =>
    insertEntry(state, context, { entry: { id: "e", content: "first" } }),
  );
  await two.import(await one.bundle(own));
  two.workspace.store.change(own, (state, context) => editEntry(state, context, { entry: "e", content: "second" }));
  expect(await one.import(await two.bundle(own))).toMatchObject({ kind: "imported", operations: 1 });
  expect(one.workspace.store.read(own, ({ state }) => [...entries(state, activeTake(state))])).toMatchObject([
    { content: "second" },
  ]);
});
