import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { line } from "@retake/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { amount } from "../../../../testing/budget.ts";
import type { FilesProgress } from "./restore-with-commit.ts";
import { SharedWorkspace } from "./testing/shared-workspace.ts";

const FILES = amount("files", 200, 5000);

let shared: SharedWorkspace;
let thread: string;
beforeEach(async () => {
  shared = new SharedWorkspace();
  mkdirSync(join(shared.root, "many"));
  for (let number = 0; number < FILES; number += 1) shared.write(`many/${number}.txt`, `${number}\n`);
  thread = await shared.workspace.newThread("main");
  await shared.turn(thread, "run rm -r many && echo gone > gone.txt");
});
afterEach(() => shared.remove());

/** The files on disk, by path. */
function files(): Record<string, string> {
  const found = readdirSync(shared.root, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return Object.fromEntries(
    found.map(({ parentPath, name }) => [
      join(parentPath, name).slice(shared.root.length + 1),
      readFileSync(join(parentPath, name), "utf8"),
    ]),
  );
}

const log = () =>
  shared.workspace.store.read(thread, (history) => [...line(history, history.state.head)].map(({ id }) => id));

describe("a restore of thousands of files", () => {
  test("[U1] reports the written bytes before the commit, and the files in place after it", async () => {
    const told: FilesProgress[] = [];
    const commits: number[] = [];
    const onProgress = (progress: FilesProgress) => {
      told.push(progress);
      commits.push(log().length);
    };
    const before = log().length;
    expect(await shared.workspace.undo(thread, { count: 1 }, { onProgress })).toMatchObject({ kind: "done" });
    const restores = told.flatMap((each, index) =>
      each.what === "restore" ? [{ ...each, committed: commits[index] !== before }] : [],
    );
    expect(restores.length).toBeGreaterThan(FILES / 50);
    for (const { files, of, committed } of restores) expect([of, files > 0]).toEqual([FILES + 1, committed]);
    expect(restores.at(-1)?.files).toBe(FILES + 1);
    const bytes = restores.map((each) => each.bytes);
    expect(bytes).toEqual(bytes.toSorted((a, b) => a - b));
  });

  test("[U1] [P2] cancelled before the commit, leaves no trace", async () => {
    const [disk, operations] = [files(), log()];
    const stop = new AbortController();
    const onProgress = ({ what }: FilesProgress) => {
      if (what === "restore") stop.abort();
    };
    const undone = shared.workspace.undo(thread, { count: 1 }, { signal: stop.signal, onProgress });
    await expect(undone).rejects.toMatchObject({ code: "cancelled" });
    expect([files(), log(), readdirSync(shared.root)]).toEqual([disk, operations, ["gone.txt"]]);
    expect(await shared.workspace.undo(thread, { count: 1 })).toMatchObject({ kind: "done" });
    expect(Object.keys(files())).toHaveLength(FILES);
  });

  test("[U1] [P2] is completed once it is committed", async () => {
    const stop = new AbortController();
    const onProgress = (progress: FilesProgress) => {
      if (progress.what === "restore" && progress.files > 0) stop.abort();
    };
    const undone = await shared.workspace.undo(thread, { count: 1 }, { signal: stop.signal, onProgress });
    expect([undone.kind, stop.signal.aborted]).toEqual(["done", true]);
    expect(Object.keys(files())).toHaveLength(FILES);
    expect(readdirSync(shared.root)).toEqual(["many"]);
  });
});
