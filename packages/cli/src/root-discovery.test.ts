import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";

describe("[F63] the workspace of a command", () => {
  let session: CliSession;
  beforeAll(() => {
    session = new CliSession();
    mkdirSync(join(session.root, "src", "deep"), { recursive: true });
  });
  afterAll(() => session.remove());

  const inside = (directory: string, ...args: string[]) =>
    session.runWith({ cwd: join(session.root, directory) }, ...args);
  const rootFrom = (directory: string) => JSON.parse(inside(directory, "status", "--json").stdout)["workspace_root"];

  test("is the directory itself where nothing is known above it", () => {
    expect(rootFrom("src")).toBe(join(session.root, "src"));
  });

  test("is the root of the git repository that the directory is in", () => {
    mkdirSync(join(session.root, ".git"));
    expect(rootFrom("src/deep")).toBe(session.root);
  });

  test("is the directory of the threads, and names files from where the user stands", () => {
    expect(inside("src", "run", "--yes", "write src/deep/b.txt: two")).toMatchObject({ status: 0 });
    expect(session.read("src/deep/b.txt")).toBe("two");
    const added = inside("src/deep", "context", "add", "b.txt", "--json");
    expect(JSON.parse(added.stdout)["context"]).toMatchObject([{ path: "src/deep/b.txt" }]);
  });

  test("is the nearest directory upwards that has threads, also inside a repository", () => {
    const own = ["--workspace", join(session.root, "src")];
    expect(inside("src", "run", "--yes", ...own, "write a.txt: one")).toMatchObject({ status: 0 });
    expect(rootFrom("src/deep")).toBe(join(session.root, "src"));
    expect(rootFrom("")).toBe(session.root);
  });
});
