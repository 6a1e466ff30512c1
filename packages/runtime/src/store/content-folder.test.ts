import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ContentFolder } from "./content-folder.ts";

let directory: string;
let folder: ContentFolder;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "retake-contents-"));
  folder = new ContentFolder(directory);
});
afterEach(() => rmSync(directory, { recursive: true }));

describe("a folder of contents", () => {
  test("a file that is renamed or deleted while the files are listed is left out", () => {
    const names = ["one", "two", "three"].map((content) => folder.put(content));
    const listed = folder.files();
    const first = listed.next().value;
    for (const name of names) if (name !== first?.name) folder.remove(name);
    expect([...listed]).toEqual([]);
  });

  test("a file that is deleted between the list and a look at it is not damaged, and a changed one is", () => {
    const [kept, gone] = [folder.put("kept"), folder.put("gone")];
    const files = [...folder.files()];
    writeFileSync(folder.path(kept), "changed");
    folder.remove(gone);
    expect(files.filter((file) => folder.isDamaged(file)).map(({ name }) => name)).toEqual([kept]);
  });

  test("a content that was deleted is written again", () => {
    const name = folder.put("content");
    folder.remove(name);
    expect(folder.put("content")).toBe(name);
    expect(folder.put("content")).toBe(name);
    expect(folder.read(name)?.toString()).toBe("content");
    expect(folder.lost()).toEqual([]);
  });
});
