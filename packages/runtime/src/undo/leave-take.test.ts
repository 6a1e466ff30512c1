import { activeTake, branch, entryAt, entryCount, liveTakes, switchTake } from "@retake/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { takenBackOutcome } from "../answers/taken-back-answer.ts";
import { SharedWorkspace } from "./testing/shared-workspace.ts";

let shared: SharedWorkspace;
let thread: string;
beforeEach(async () => {
  shared = new SharedWorkspace();
  thread = await shared.workspace.newThread("main");
  await shared.turn(thread, "write file.txt: 1");
  await shared.turn(thread, "write file.txt: 2");
});
afterEach(() => shared.remove());

const take = (name: string) =>
  shared.workspace.store.read(thread, ({ state }) => liveTakes(state).find((each) => each.name === name)?.id ?? "");

const branchAtFirst = () => branchAt(() => 0);
const branchAtLast = () => branchAt((count) => count - 1);

async function branchAt(place: (count: number) => number): Promise<void> {
  const entry = shared.workspace.store.read(thread, ({ state }) => {
    const take = activeTake(state);
    return entryAt(state, take, place(entryCount(state, take)))?.id ?? "";
  });
  const made = shared.workspace.store.identity.id();
  await shared.workspace.changeWithFiles(thread, (history, context) => branch(history, context, { entry, take: made }));
}

function switchTo(name: string) {
  const to = take(name);
  return shared.workspace.changeWithFiles(thread, ({ state }, context) => switchTake(state, context, { take: to }));
}

describe("a branch inside a turn", () => {
  test("[F25] [A7] [U1] holds the turn up to that entry, and undo takes that part back", async () => {
    await shared.turn(thread, "write file.txt: 3\nwrite other.txt: 3");
    // The prompt, the calls and the result of the first one.
    await branchAt((count) => count - 3);
    expect([shared.read("file.txt"), shared.read("other.txt")]).toEqual(["3", undefined]);
    expect(await shared.workspace.undo(thread, {})).toMatchObject({ kind: "done", plan: { turns_undone: 1 } });
    expect(shared.read("file.txt")).toBe("2");
    expect(await shared.workspace.redo(thread, 1)).toMatchObject({ kind: "done" });
    expect([shared.read("file.txt"), shared.read("other.txt")]).toEqual(["3", undefined]);
  });

  test("[F25] [S1] of a turn that a jump brought back has nothing of the jump to undo", async () => {
    const head = shared.workspace.store.read(thread, ({ state }) => state.head ?? "");
    await shared.workspace.undo(thread, { count: 2 });
    await shared.workspace.jump(thread, { operation: head });
    await branchAtFirst();
    expect(shared.read("file.txt")).toBeUndefined();
    expect(await shared.workspace.undo(thread, {})).toMatchObject({ kind: "nothing" });
  });

  test("[F25] [A7] at its prompt has the files before the turn, and undo takes the prompt back", async () => {
    await branchAtFirst();
    expect(shared.read("file.txt")).toBeUndefined();
    expect(await shared.workspace.undo(thread, {})).toMatchObject({
      kind: "done",
      plan: { original_user_text: "write file.txt: 1" },
    });
    expect(shared.workspace.store.read(thread, ({ state }) => entryCount(state, activeTake(state)))).toBe(0);
  });
});

describe("undoing an operation that made another take active", () => {
  const files = (...names: string[]) => names.map((name) => shared.read(name));

  test("[H15] [X6] [F25] the take that undo leaves keeps its files", async () => {
    await branchAtFirst();
    await shared.turn(thread, "write other.txt: 3");
    await switchTo("main");
    expect(files("file.txt", "other.txt")).toEqual(["2", undefined]);
    await shared.workspace.undo(thread, { steps: true });
    expect(files("file.txt", "other.txt")).toEqual([undefined, "3"]);
    await switchTo("main");
    expect(files("file.txt", "other.txt")).toEqual(["2", undefined]);
  });

  test("[H15] [U4] the user's files in a take go with it and come back with it", async () => {
    await branchAtFirst();
    shared.write("mine.txt", "mine");
    expect(await shared.workspace.undo(thread, { steps: true })).toMatchObject({ kind: "done" });
    expect(files("file.txt", "mine.txt")).toEqual(["2", undefined]);
    expect(await shared.workspace.redo(thread, 1)).toMatchObject({ kind: "done" });
    expect(files("file.txt", "mine.txt")).toEqual([undefined, "mine"]);
  });

  test("[R3] [H6] [S1] a jump that only makes another take active has no files to undo", async () => {
    const head = shared.workspace.store.read(thread, ({ state }) => state.head ?? "");
    await branchAtFirst();
    await shared.turn(thread, "write other.txt: 3");
    await shared.workspace.jump(thread, { operation: head });
    expect(files("file.txt", "other.txt")).toEqual(["2", undefined]);
    await shared.workspace.undo(thread, { scope: "conversation" });
    expect(files("file.txt", "other.txt")).toEqual([undefined, "3"]);
    const undone = await shared.workspace.undo(thread, { steps: true });
    expect(undone).toMatchObject({ kind: "done", plan: { original_user_text: "write other.txt: 3" } });
    expect(files("file.txt", "other.txt")).toEqual([undefined, undefined]);
  });

  test("[H15] a turn and the switch before it, undone together, are each undone in the right take", async () => {
    await branchAtFirst();
    await switchTo("main");
    await shared.turn(thread, "write file.txt: 3");
    await shared.workspace.undo(thread, { steps: true, count: 2 });
    expect(shared.read("file.txt")).toBeUndefined();
    await switchTo("main");
    expect(shared.read("file.txt")).toBe("2");
  });

  test("[H15] [X6] a turn that was undone only in the branch is there when the branch is undone", async () => {
    await shared.turn(thread, "write file.txt: 3");
    await branchAtLast();
    await shared.workspace.undo(thread, {});
    expect(shared.read("file.txt")).toBe("2");
    expect(await shared.workspace.undo(thread, { steps: true })).toMatchObject({ kind: "done" });
    expect(shared.read("file.txt")).toBe("3");
  });

  test("[H15] [U4] the user's change to a file is merged in the take that undo leaves", async () => {
    shared.write("lines.txt", "1\n2\n3\n4\n5\n");
    await branchAtLast();
    await switchTo("main");
    await shared.turn(thread, "run sed -i s/1/one/ lines.txt");
    shared.write("lines.txt", "one\n2\n3\n4\nfive\n");
    expect(await shared.workspace.undo(thread, { steps: true, count: 2 })).toMatchObject({ kind: "done" });
    expect(shared.read("lines.txt")).toBe("1\n2\n3\n4\n5\n");
    await switchTo("main");
    expect(shared.read("lines.txt")).toBe("1\n2\n3\n4\nfive\n");
  });
});

describe("undoing steps before a branch, too", () => {
  const here = () =>
    shared.workspace.store.read(thread, ({ state }) => ({
      version: state.version,
      take: activeTake(state),
      entries: entryCount(state, activeTake(state)),
      files: [shared.read("file.txt"), shared.read("other.txt"), shared.read("mine.txt")],
    }));
  const turnInBranch = async () => {
    await branchAtFirst();
    await shared.turn(thread, "write other.txt: 3");
  };

  test("[U2] [U8] [X6] undoes as many steps as requested, in whichever takes, and redo brings them back", async () => {
    const { take: main } = here();
    await turnInBranch();
    shared.write("mine.txt", "mine");
    const before = here();
    const done = await shared.workspace.undo(thread, { steps: true, count: 3 });
    expect(done).toMatchObject({ kind: "done", operation: { kind: "undone" } });
    expect(here()).toMatchObject({ take: main, files: ["1", undefined, undefined] });
    await shared.workspace.redo(thread, 1);
    const { version: _, ...rest } = before;
    expect(here()).toMatchObject(rest);
  });

  test("[U8] [X6] several redos at once bring back a take with its files, and leave it again", async () => {
    const { take: main } = here();
    await turnInBranch();
    const { take: branch } = here();
    await switchTo("main");
    for (let step = 0; step < 3; step += 1) await shared.workspace.undo(thread, { steps: true });
    expect(await shared.workspace.redo(thread, 3)).toMatchObject({ kind: "done" });
    expect(here()).toMatchObject({ take: main, files: ["2", undefined, undefined] });
    const switched = shared.workspace.changeWithFiles(thread, ({ state }, context) =>
      switchTake(state, context, { take: branch }),
    );
    expect(await switched).toMatchObject({ kind: "done" });
    expect(here()).toMatchObject({ take: branch, files: [undefined, "3", undefined] });
  });

  test("[U6] a dry run reports the whole result and changes nothing", async () => {
    await turnInBranch();
    const before = here();
    const request = { steps: true, count: 3 };
    const dry = await shared.workspace.undo(thread, request, { dryRun: true });
    expect(here()).toEqual(before);
    const told = takenBackOutcome(shared.workspace.store, thread, dry);
    const done = takenBackOutcome(shared.workspace.store, thread, await shared.workspace.undo(thread, request));
    if (told.kind !== "answer" || done.kind !== "answer") throw new Error("neither has a conflict");
    // A dry run has no operation, so it lacks these fields.
    const { op_id, version, snapshot_restored, taken_back_by, returned_prompt, ...wanted } = done.answer;
    expect(told.answer).toMatchObject(wanted);
    const files = { files_reverted: ["file.txt", "other.txt"], files_deleted: ["other.txt"] };
    expect(wanted).toMatchObject({ turns_undone: 2, ...files });
  });

  test("[P2] [X1] undoes nothing when the last step cannot be undone", async () => {
    const { take: main } = here();
    const head = shared.workspace.store.read(thread, ({ state }) => state.head ?? "");
    await turnInBranch();
    shared.write("other.txt", "mine");
    await shared.workspace.jump(thread, { operation: head });
    const before = here();
    expect(before.take).toBe(main);
    expect(await shared.workspace.undo(thread, { count: 2 })).toMatchObject({
      kind: "conflicts",
      files: { conflicts: [{ path: "other.txt" }] },
    });
    expect(here()).toEqual(before);
    expect(await shared.workspace.undo(thread, { count: 2 }, { onConflict: "overwrite" })).toMatchObject({
      kind: "done",
    });
    expect(here().files).toEqual([undefined, undefined, undefined]);
  });
});
