import { expect, test } from "vitest";
import { CaptureLog } from "../capture/capture-log.ts";
import { temporaryWorkspaces } from "../testing/temporary-workspace.ts";
import type { Change } from "./model.ts";
import { treeName } from "./tree-name.ts";

const temporary = temporaryWorkspaces();

// Frozen: operations in logs and bundles contain these names.
test("[X12] the encoding behind tree names does not change", () => {
  const hash = "a".repeat(64);
  const changes: Change[] = [
    { path: "bin/run", after: { kind: "file", hash, size: 12, mode: 0o755 } },
    { path: "caf\xe9", before: { kind: "link", hash, size: 3 } },
    { path: "empty", before: { kind: "directory", mode: 0o755 }, after: { kind: "uncovered", reason: "too-large" } },
    {
      path: "log",
      before: { kind: "file", hash, size: 0, mode: 0o644, ignored: true },
      after: { kind: "uncovered", reason: "cache", inherited: true },
    },
  ];
  expect(treeName("", [])).toBe("24abda87007d7202eb91d0ff59e21d39b50fd0e8d0494a065b763d663f719d23");
  expect(treeName("", changes)).toBe("97dd31fb72cfec396e718045f17782b704760c863d9b645773ad55767ad53fc7");
  expect(treeName("b".repeat(64), changes)).toBe("9924ad9c9a1d3aa1d7665118a3bee73d914d4c2a305563eb6388b0c9ea6e14e0");
});

test("[X12] the same files, captured in the same steps, have the same names in every store", async () => {
  const steps = async () => {
    const place = temporary();
    const workspace = place.open();
    const names: string[] = [];
    for (const [path, content] of [
      ["b/x", "1"],
      ["b-y", "2"],
      ["b/x", "3"],
      ["a", "4"],
    ] as const) {
      place.write(path, content);
      names.push((await workspace.capture()).id);
    }
    return names;
  };
  const names = await steps();
  expect(await steps()).toEqual(names);
  expect(new Set(names).size).toBe(4);
});

test("[X12] an existing capture is not added a second time", async () => {
  const place = temporary();
  place.write("a", "one");
  const [workspace, other] = [place.open(), place.open()];
  await workspace.capture();
  await other.capture();
  place.write("a", "two");
  const { id } = await workspace.capture();
  expect((await other.capture()).id).toBe(id);
  const log = new CaptureLog(workspace.database);
  expect(log.latest(log.workspaceId(Buffer.from(workspace.root, "latin1")))).toBe(id);
});

test("two directories with the same files each have their own last capture", async () => {
  const [one, two] = [temporary(), temporary()];
  const first = await one.open().capture();
  const workspace = two.open();
  expect((await workspace.capture()).id).toBe(first.id);
  two.write("a", "one");
  expect((await workspace.capture()).parent).toBe(first.id);
});
