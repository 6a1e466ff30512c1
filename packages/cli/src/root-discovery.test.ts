import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { MAIN } from "../../../testing/main.ts";
import { CliSession } from "./testing/cli-session.ts";

describe("[F63] the workspace of a command", () => {
  let session: CliSession;
  beforeAll(() => {
    session = new CliSession();
    mkdirSync(join(session.root, "src", "deep"), { recursive: true });
  });
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => session.remove());

  const inside = (directory: string, ...args: string[]) =>
    session.world({ cwd: join(session.root, directory) }).run(...args);
  const rootFrom = async (directory: string) =>
    JSON.parse((await inside(directory, "status", "--json")).stdout)["workspace_root"];

  test("is the directory itself where nothing is known above it", async () => {
    expect(await rootFrom("src")).toBe(join(session.root, "src"));
  });

  test("is the root of the git repository that the directory is in", async () => {
    mkdirSync(join(session.root, ".git"));
    expect(await rootFrom("src/deep")).toBe(session.root);
  });

  test("is the directory itself where only a home directory above it is a repository, also if HOME is a link", async () => {
    mkdirSync(join(session.root, "me", ".git"), { recursive: true });
    mkdirSync(join(session.root, "me", "project"));
    symlinkSync("me", join(session.root, "link"));
    expect(await rootFrom("me/project")).toBe(join(session.root, "me"));
    vi.stubEnv("HOME", join(session.root, "link"));
    expect(await rootFrom("me/project")).toBe(join(session.root, "me", "project"));
  });

  test("is the directory of the threads, and names files from where the user stands", async () => {
    expect(await inside("src", "run", "--yes", "write src/deep/b.txt: two")).toMatchObject({ status: 0 });
    expect(session.read("src/deep/b.txt")).toBe("two");
    const added = await inside("src/deep", "context", "add", "b.txt", "--json");
    expect(JSON.parse(added.stdout)["context"]).toMatchObject([{ path: "src/deep/b.txt" }]);
  });

  test("is the nearest directory upwards that has threads, also inside a repository", async () => {
    const own = ["--workspace", join(session.root, "src")];
    expect(await inside("src", "run", "--yes", ...own, "write a.txt: one")).toMatchObject({ status: 0 });
    expect(await rootFrom("src/deep")).toBe(join(session.root, "src"));
    expect(await rootFrom("")).toBe(session.root);
  });

  test("[F64] a directory that is gone, and a file in place of a directory, are named in words", async () => {
    const { status, stderr } = await session.call("status", "--workspace", "kept.txt");
    expect([status, stderr]).toEqual([
      2,
      `--workspace takes a directory, and ${join(session.root, "kept.txt")} is a file. Nothing was changed.\n`,
    ]);
    const gone = join(session.root, "gone");
    mkdirSync(gone);
    const command = `cd '${gone}' && rmdir '${gone}' && exec '${process.execPath}' '${MAIN}' status`;
    const ran = spawnSync("/bin/sh", ["-c", command], {
      encoding: "utf8",
      env: { ...process.env, RETAKE_HOME: session.home },
    });
    expect([ran.status, ran.stderr]).toEqual([
      1,
      expect.stringContaining("The current directory was deleted or moved. Nothing was changed."),
    ]);
  });
});
