import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { activeTake, entries } from "@retake/core";
import { bytePath } from "@retake/workspace";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SharedWorkspace } from "./testing/shared-workspace.ts";

let shared: SharedWorkspace;
let thread: string;
beforeEach(async () => {
  shared = new SharedWorkspace();
  shared.write(".gitignore", "node_modules/\n.venv/\n.terraform/\nlogs/\n");
  for (const path of ["node_modules/x", ".venv", ".terraform", "logs"])
    mkdirSync(join(shared.root, path), { recursive: true });
  shared.write("node_modules/x/i.js", "original\n");
  shared.write(".venv/a.py", "original\n");
  shared.write(".terraform/terraform.tfstate", "original\n");
  shared.write("logs/large.log", "original\n".repeat(100_000));
  thread = await shared.workspace.newThread("main");
});
afterEach(() => shared.remove());

/** The changes of the last turn's calls that no undo takes back. */
function uncovered(): unknown[] {
  return shared.workspace.store.read(thread, ({ state }) =>
    [...entries(state, activeTake(state))].flatMap(
      ({ receipt }) => (receipt as { uncovered_changed?: string[] } | undefined)?.uncovered_changed ?? [],
    ),
  );
}

describe("what the agent's own tools write is captured wherever it lies in the workspace", () => {
  test.each(["node_modules/x/i.js", ".venv/a.py", ".terraform/terraform.tfstate", "logs/large.log"])(
    "[F24] [U1] undo brings %s back, redo changes it again, and nothing is said to stay",
    async (path) => {
      const original = shared.read(path);
      await shared.turn(thread, `write ${path}: patched`);
      expect(uncovered()).toEqual([]);
      for (let times = 0; times < 2; times += 1) {
        expect(await shared.workspace.undo(thread, {})).toMatchObject({ kind: "done", files: { kept: [] } });
        expect(shared.read(path)).toBe(original);
        expect(await shared.workspace.redo(thread, 1)).toMatchObject({ kind: "done", files: { kept: [] } });
        expect(shared.read(path)).toBe("patched");
      }
    },
  );

  test.each(["node_modules", "logs", "new/node_modules"])(
    "[F24] [U1] a file made in %s goes, with the directories that were made for it",
    async (directory) => {
      rmSync(join(shared.root, directory), { recursive: true, force: true });
      for (let times = 0; times < 2; times += 1) {
        await shared.turn(thread, `write ${directory}/a/b.js: made`);
        expect(uncovered()).toEqual([]);
        expect(await shared.workspace.undo(thread, {})).toMatchObject({ kind: "done", files: { kept: [] } });
        expect(shared.read(directory)).toBeUndefined();
        expect(await shared.workspace.redo(thread, 1)).toMatchObject({ kind: "done", files: { kept: [] } });
        expect(shared.read(`${directory}/a/b.js`)).toBe("made");
        await shared.workspace.undo(thread, {});
      }
    },
  );

  test("[F24] [X1] what the user changed there since is a conflict", async () => {
    await shared.turn(thread, "write node_modules/x/i.js: patched");
    shared.write("node_modules/x/i.js", "mine");
    expect(await shared.workspace.undo(thread, {})).toMatchObject({
      kind: "conflicts",
      files: { conflicts: [{ path: "node_modules/x/i.js", kind: "overlap" }] },
    });
    expect(shared.read("node_modules/x/i.js")).toBe("mine");
  });

  test("[F24] what another command changes there later belongs to its own turn", async () => {
    await shared.turn(thread, "write node_modules/x/i.js: patched");
    await shared.turn(thread, "run echo again > node_modules/x/i.js");
    await shared.workspace.undo(thread, {});
    expect(shared.read("node_modules/x/i.js")).toBe("patched");
    await shared.workspace.undo(thread, {});
    expect(shared.read("node_modules/x/i.js")).toBe("original\n");
  });

  test("[F24] [L9] after a kill inside the tool the next process knows what was there before", async () => {
    const files = shared.workspace.files(thread);
    const path = bytePath("node_modules/x/i.js");
    const before = await files.capture({ named: [path] });
    shared.write("node_modules/x/i.js", "half");
    const other = shared.open();
    try {
      const { id } = await other.files(thread).capture();
      expect(other.files(thread).changes(before.id, id)).toMatchObject([
        { path, before: { size: 9 }, after: { size: 4 } },
      ]);
    } finally {
      await other.close();
    }
  });

  test("[F24] gc keeps what a claimed file held before", async () => {
    await shared.turn(thread, "write node_modules/x/i.js: patched");
    await shared.workspace.files(thread).collectGarbage([]);
    await shared.turn(thread, "write node_modules/x/i.js: more");
    await shared.workspace.undo(thread, {});
    expect(shared.read("node_modules/x/i.js")).toBe("patched");
  });
});

describe("what no capture holds is named", () => {
  test("[F24] files that a command changed, made or deleted deep in a left-out directory", async () => {
    shared.write("node_modules/x/gone.js", "1");
    shared.write("node_modules/x/same.js", "1");
    await new Promise((resolve) => setTimeout(resolve, 50));
    await shared.turn(
      thread,
      "run echo 2 > node_modules/x/i.js; echo 3 > .venv/a.py; mkdir node_modules/y; rm node_modules/x/gone.js",
    );
    expect(uncovered()).toEqual([".venv/a.py", "node_modules/x/i.js", "node_modules/y"]);
  });

  test("[F24] a directory stands for many changed files in it", async () => {
    await shared.turn(thread, "run mkdir node_modules/m; for i in $(seq 50); do echo > node_modules/m/$i; done");
    expect(uncovered()).toEqual(["node_modules"]);
  });

  test("[F24] a file that the user excluded from all captures", async () => {
    shared.write(".retakeignore", "private/\n");
    mkdirSync(join(shared.root, "private"));
    shared.write("private/a.txt", "mine");
    await shared.turn(thread, "write private/a.txt: the agent's");
    expect(uncovered()).toEqual(["private/a.txt"]);
  });
});
