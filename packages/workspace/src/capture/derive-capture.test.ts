import { expect, test } from "vitest";
import { temporaryWorkspaces } from "../testing/temporary-workspace.ts";
import { deriveCapture } from "./derive-capture.ts";

const temporary = temporaryWorkspaces();

/** A workspace whose last turn will be undone, and the capture that the undo derives. */
async function planned() {
  const place = temporary();
  const workspace = place.open();
  place.write("changed.txt", "before");
  const before = await workspace.capture();
  place.write("changed.txt", "after");
  place.write("new.txt", "new");
  const after = await workspace.capture();
  const { database } = workspace;
  const back = workspace.changes(after.id, before.id).filter(({ path }) => path === "changed.txt");
  const derived = database.transaction(() => deriveCapture(database, after.id, back, workspace.root));
  return { place, workspace, derived };
}

test("[U1] the files after a restore are exactly the capture that it derived", async () => {
  const { place, workspace, derived } = await planned();
  place.write("changed.txt", "before");
  const captured = await workspace.capture();
  expect(captured).toMatchObject({ id: derived, changes: [] });
  expect(captured.receipt).toMatchObject(totals(workspace.describe(derived)));
});

test("[U1] a file on disk that differs from the derived capture is a change of it", async () => {
  const { place, workspace, derived } = await planned();
  place.write("changed.txt", "somebody else's");
  place.write("another.txt", "another");
  const captured = await workspace.capture();
  expect(captured.parent).toBe(derived);
  expect(captured.changes.map(({ path }) => path)).toEqual(["another.txt", "changed.txt"]);
  expect(workspace.changes(derived, captured.id)).toEqual(captured.changes);
  // As seen by a process that has only the store.
  const fresh = await place.open().capture();
  expect(fresh).toMatchObject({ id: captured.id, changes: [] });
});

function totals({ receipt: { files, bytes } }: { receipt: { files: number; bytes: number } }) {
  return { files, bytes };
}
