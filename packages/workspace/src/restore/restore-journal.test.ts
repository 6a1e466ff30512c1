import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../database/connect.ts";
import { fileSchema } from "../file-schema.ts";
import { RestoreJournal } from "./restore-journal.ts";

test("[X9] the mark that all files are in place does not write the plan again", () => {
  const folder = mkdtempSync(join(tmpdir(), "retake-journal-"));
  const file = join(folder, "store.db");
  const database = connect(file, fileSchema);
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  const journal = new RestoreJournal(database);
  const before = { kind: "directory", mode: 0o700 } as const;
  const after = { kind: "directory", mode: 0o755 } as const;
  const actions = Array.from({ length: 1000 }, (_, index) => {
    return { path: `caf\xe9/directory-${index}`, before, after, how: "restored", home: 0 } as const;
  });
  const entry = { id: "1", root: "/work", homes: [""], actions, boot: "boot" };
  database.transaction(() => journal.begin(entry));
  expect(journal.isApplying("/work")).toBe(true);
  expect(journal.unfinished("/work")).toMatchObject([{ ...entry, state: "applying" }]);

  const logged = () => statSync(`${file}-wal`).size;
  const written = logged();
  journal.applied("1");
  expect(logged() - written).toBeLessThan(20_000);
  expect(journal.isApplying("/work")).toBe(false);
  expect(journal.unfinished("/work")).toMatchObject([{ ...entry, state: "applied" }]);
});
