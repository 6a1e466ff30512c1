import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FilesOutcome, filesAnswer } from "../answers/files-answer.ts";
import { SharedWorkspace } from "./testing/shared-workspace.ts";

let shared: SharedWorkspace;
let thread: string;
beforeEach(async () => {
  shared = new SharedWorkspace();
  shared.write("data.log", "precious\n");
  thread = await shared.workspace.newThread("main");
});
afterEach(() => shared.remove());

describe("a turn that replaces a file by something that no capture holds", () => {
  test("[F23] [X1] a file that grew too large is a conflict, and is restored if the policy says so", async () => {
    await shared.turn(thread, "run truncate -s 65M data.log\nwrite other.txt: 1");
    expect(await shared.workspace.undo(thread, {})).toMatchObject({
      kind: "conflicts",
      files: { conflicts: [{ path: "data.log", kind: "overlap" }] },
    });
    expect(shared.read("other.txt")).toBe("1");
    expect(await shared.workspace.undo(thread, {}, { onConflict: "keep" })).toMatchObject({ kind: "done" });
    expect([shared.read("data.log")?.length, shared.read("other.txt")]).toEqual([65 * 2 ** 20, undefined]);
    await shared.workspace.redo(thread, 1);
    expect(await shared.workspace.undo(thread, {}, { onConflict: "overwrite" })).toMatchObject({ kind: "done" });
    expect([shared.read("data.log"), shared.read("other.txt")]).toEqual(["precious\n", undefined]);
    // The overwritten content is kept.
    expect(await shared.workspace.redo(thread, 1)).toMatchObject({ kind: "done" });
    expect(shared.read("data.log")?.length).toBe(65 * 2 ** 20);
  });

  test("[F23] [X1] a FIFO in the place of a file is replaced if the policy says so", async () => {
    await shared.turn(thread, "run rm data.log; mkfifo data.log");
    expect(await shared.workspace.undo(thread, {})).toMatchObject({
      kind: "conflicts",
      files: { conflicts: [{ path: "data.log", kind: "type" }] },
    });
    const isFifo = () => execFileSync("stat", ["-c", "%F", join(shared.root, "data.log")], { encoding: "utf8" }).trim();
    expect(await shared.workspace.undo(thread, {}, { onConflict: "keep" })).toMatchObject({ kind: "done" });
    expect(isFifo()).toBe("fifo");
    await shared.workspace.redo(thread, 1);
    const undone = await shared.workspace.undo(thread, {}, { onConflict: "overwrite" });
    expect(undone).toMatchObject({ kind: "done", report: { blocked: [] } });
    // Nothing of it is said to come back.
    expect(filesAnswer(undone as FilesOutcome).files).toMatchObject([{ path: "data.log", became: "restored" }]);
    expect(shared.read("data.log")).toBe("precious\n");
  });

  test("[F23] [U1] restores a file that was too large only for a while", async () => {
    await shared.turn(thread, "run truncate -s 65M data.log\nrun echo short > data.log");
    expect(await shared.workspace.undo(thread, {})).toMatchObject({ kind: "done" });
    expect(shared.read("data.log")).toBe("precious\n");
  });
});

describe("ignored files", () => {
  test("[F31] [U8] redo deletes an ignored file again that undo had restored", async () => {
    shared.write(".gitignore", ".env\n");
    shared.write(".env", "SECRET=1\n");
    await shared.turn(thread, "delete .env");
    for (let times = 0; times < 2; times += 1) {
      await shared.workspace.undo(thread, {});
      expect(shared.read(".env")).toBe("SECRET=1\n");
      expect(await shared.workspace.redo(thread, 1)).toMatchObject({ kind: "done", files: { kept: [] } });
      expect(shared.read(".env")).toBeUndefined();
    }
  });
});

describe("restoring a snapshot", () => {
  const snapshot = () => {
    const [newest] = shared.workspace.store.snapshotLog(thread).list(shared.workspace.root, { thread, limit: 1 });
    if (!newest) throw new Error("a turn leaves a snapshot");
    return { snapshot: newest.id, tree: newest.tree };
  };

  test("[F22] [P4] files that the user deleted, created or changed later are conflicts that the policy decides", async () => {
    await shared.turn(thread, "write a.txt: one\nwrite b.txt: one");
    const then = snapshot();
    rmSync(join(shared.root, "a.txt"));
    shared.write("b.txt", "mine");
    shared.write("new.txt", "mine");
    const conflicts = [
      { path: "a.txt", kind: "deleted-by-user" },
      { path: "b.txt", kind: "overlap" },
      { path: "new.txt", kind: "created-by-user" },
    ];
    expect(await shared.workspace.restore(thread, then)).toMatchObject({ kind: "conflicts", files: { conflicts } });
    expect(await shared.workspace.restore(thread, then, { onConflict: "keep" })).toMatchObject({ kind: "kept" });
    expect([existsSync(join(shared.root, "a.txt")), shared.read("b.txt")]).toEqual([false, "mine"]);
    expect(await shared.workspace.restore(thread, then, { onConflict: "overwrite" })).toMatchObject({ kind: "done" });
    expect(["a.txt", "b.txt", "new.txt"].map((path) => shared.read(path))).toEqual(["one", "one", undefined]);
    await shared.workspace.undo(thread, {});
    expect(["a.txt", "b.txt", "new.txt"].map((path) => shared.read(path))).toEqual([undefined, "mine", "mine"]);
  });

  test("[F22] [P4] a file that the user deleted is a conflict, also if a turn had deleted it before", async () => {
    await shared.turn(thread, "write a.txt: one");
    const then = snapshot();
    await shared.turn(thread, "delete a.txt");
    await shared.workspace.undo(thread, {});
    rmSync(join(shared.root, "a.txt"));
    const conflicts = [{ path: "a.txt", kind: "deleted-by-user" }];
    expect(await shared.workspace.restore(thread, then)).toMatchObject({ kind: "conflicts", files: { conflicts } });
  });

  test("[F22] [P4] a directory that the user emptied is no conflict", async () => {
    await shared.turn(thread, "write a.txt: one");
    const then = snapshot();
    await shared.turn(thread, "write new/b.txt: two");
    rmSync(join(shared.root, "new/b.txt"));
    expect(await shared.workspace.restore(thread, then)).toMatchObject({ kind: "done" });
    expect(existsSync(join(shared.root, "new"))).toBe(false);
  });

  test("[F22] [P4] a file that the user put in the place of a directory is a conflict", async () => {
    await shared.turn(thread, "write d/a.txt: one");
    const then = snapshot();
    rmSync(join(shared.root, "d"), { recursive: true });
    shared.write("d", "mine");
    expect(await shared.workspace.restore(thread, then)).toMatchObject({ kind: "conflicts" });
    expect(await shared.workspace.restore(thread, then, { onConflict: "keep" })).toMatchObject({ kind: "kept" });
    expect(shared.read("d")).toBe("mine");
  });

  test("[F22] [P4] restores only the requested paths", async () => {
    await shared.turn(thread, "write a.txt: one\nwrite b.txt: one");
    const then = snapshot();
    rmSync(join(shared.root, "a.txt"));
    rmSync(join(shared.root, "b.txt"));
    await shared.workspace.restore(thread, then, { onConflict: "overwrite", paths: ["a.txt"] });
    expect([shared.read("a.txt"), shared.read("b.txt")]).toEqual(["one", undefined]);
  });

  test("[F22] [X5] another thread's later files stay, without a conflict", async () => {
    const other = await shared.workspace.newThread("other");
    await shared.turn(thread, "write a.txt: one");
    const then = snapshot();
    await shared.turn(thread, "write a.txt: two");
    await shared.turn(other, "write b.txt: theirs");
    await shared.turn(thread, "Say hello.");
    expect(await shared.workspace.restore(thread, then)).toMatchObject({ kind: "done" });
    expect([shared.read("a.txt"), shared.read("b.txt")]).toEqual(["one", "theirs"]);
  });
});

describe("a dry run and a refusal", () => {
  test("[F26] [U6] change neither the thread's version nor the current thread, whatever the user changed on disk", async () => {
    await shared.turn(thread, "write a.txt: one");
    await shared.turn(thread, "write a.txt: two");
    const current = await shared.workspace.newThread("current");
    shared.write("a.txt", "mine");
    const version = () => shared.workspace.store.read(thread, ({ state }) => state.version);
    const before = version();
    expect(await shared.workspace.undo(thread, {}, { dryRun: true })).toMatchObject({ kind: "conflicts" });
    expect(await shared.workspace.undo(thread, {})).toMatchObject({ kind: "conflicts" });
    expect(await shared.workspace.redo(thread, 1)).toMatchObject({ kind: "nothing" });
    expect(version()).toBe(before);
    expect(shared.workspace.currentThread()?.id).toBe(current);
  });
});
