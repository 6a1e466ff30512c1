import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryPlaces } from "./testing/temporary-place.ts";
import { write } from "./write.ts";

const makePlace = temporaryPlaces();

describe("write", () => {
  it("makes a file and the directories it needs, and replaces one", async () => {
    const place = makePlace();
    const made = await place.call(write, { path: "a/b/c.txt", content: "é\n" });
    expect(made).toEqual({
      outcome: "completed",
      content: "Created a/b/c.txt (3 bytes).",
      details: { path: "a/b/c.txt", created: true, bytes: 3 },
    });
    const replaced = await place.call(write, { path: "a/b/c.txt", content: "" });
    expect(replaced.content).toBe("Replaced a/b/c.txt (0 bytes).");
    expect(place.read("a/b/c.txt")).toBe("");
    expect(readdirSync(place.path("a/b"))).toEqual(["c.txt"]);
  });

  it("keeps the mode, and does not write through a hard link", async () => {
    const place = makePlace();
    place.write("run.sh", "old");
    chmodSync(place.path("run.sh"), 0o751);
    linkSync(place.path("run.sh"), join(place.outside, "twin"));
    await place.call(write, { path: "run.sh", content: "new" });
    expect(statSync(place.path("run.sh")).mode & 0o777).toBe(0o751);
    expect(readFileSync(join(place.outside, "twin"), "utf8")).toBe("old");
  });

  it("writes what a link in the workspace leads to, and keeps the link", async () => {
    const place = makePlace();
    place.write("real.txt", "old");
    symlinkSync("real.txt", place.path("link"));
    expect((await place.call(write, { path: "link", content: "new" })).details?.["path"]).toBe("real.txt");
    expect(place.read("real.txt")).toBe("new");
  });

  it("follows no link out of the workspace or into .git, whatever it was when it was approved [X8]", async () => {
    const place = makePlace();
    mkdirSync(place.path(".git"));
    symlinkSync(place.outside, place.path("out"));
    symlinkSync(join(place.outside, "dangling"), place.path("file"));
    symlinkSync(".git", place.path("repository"));
    const approved = [{ path: "out/x", place: "workspace" } as const];
    for (const path of ["out/x", "file", "repository/config"]) {
      expect((await place.call(write, { path, content: "x" }, { approved })).outcome).toBe("failed");
    }
    expect(readdirSync(place.outside)).toEqual([]);
    expect(readdirSync(place.path(".git"))).toEqual([]);
  });

  it("writes outside where that is what the path says, and names it [X8]", async () => {
    const place = makePlace();
    const path = join(place.outside, "new/x");
    expect(await write.examine({ path: "../outside/new/x", content: "" }, place)).toEqual({
      writes: true,
      paths: [{ path, place: "outside" }],
      irreversible: [`writes outside the workspace: ${path}`],
    });
    await place.call(write, { path: "../outside/new/x", content: "x" });
    expect(readFileSync(path, "utf8")).toBe("x");
    const facts = await write.examine({ path: ".git/config", content: "" }, place);
    expect(facts.irreversible).toEqual(["writes into a .git directory: .git/config"]);
  });

  it("refuses directories, the workspace itself, and a file where a directory is needed", async () => {
    const place = makePlace();
    mkdirSync(place.path("directory"));
    place.write("file", "kept");
    for (const path of ["directory", "directory/", ".", "file/x", "new/"]) {
      expect(await place.call(write, { path, content: "x" })).toMatchObject({ outcome: "failed" });
    }
    expect(place.read("file")).toBe("kept");
    expect(readdirSync(place.root).sort()).toEqual(["directory", "file"]);
  });

  it("leaves whole files when many write one at once", async () => {
    const place = makePlace();
    const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(100_000));
    const ends = await Promise.all(contents.map((content) => place.call(write, { path: "shared", content })));
    expect(ends.map(({ outcome }) => outcome)).toEqual(contents.map(() => "completed"));
    expect(contents).toContain(place.read("shared"));
    expect(readdirSync(place.root)).toEqual(["shared"]);
  });

  it("changes nothing and leaves nothing behind when it was aborted", async () => {
    const place = makePlace();
    writeFileSync(place.path("a"), "old");
    const controller = new AbortController();
    const ending = place.call(write, { path: "a", content: "new" }, { signal: controller.signal });
    controller.abort();
    expect((await ending).outcome).toBe("interrupted");
    expect(place.read("a")).toBe("old");
    expect(readdirSync(place.root)).toEqual(["a"]);
  });
});
