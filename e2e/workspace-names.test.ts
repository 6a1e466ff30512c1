import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { MAIN } from "../testing/main.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-names-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** In `directory` of `folder`, which a shell enters: Node can name no directory that is not UTF-8. */
function retake(directory: string, ...args: string[]) {
  const enter = ["-c", 'cd "$1" && shift && exec "$@"', "sh", directory, process.execPath, MAIN, ...args];
  const env = { ...process.env, RETAKE_HOME: join(folder, "home"), RETAKE_MODEL: "scripted/default" };
  return spawnSync("sh", enter, { cwd: folder, encoding: "utf8", env });
}

describe("[F20] a workspace", () => {
  test.each(["with space", `'quo"te$(x)\\`, "Müller ☃ 日本", "new\nline"])(
    "named %j is changed, undone and redone",
    (name) => {
      const root = join(folder, name);
      mkdirSync(root);
      writeFileSync(join(root, "kept.txt"), "one\n");
      const prompt = "write a ü.txt: made\nappend kept.txt: two\nrun printf shell > 's h.txt'";
      expect(retake(name, "run", "--approve", "all", prompt)).toMatchObject({ status: 0, stderr: "" });
      const isAfter = () => {
        expect(readFileSync(join(root, "a ü.txt"), "utf8")).toContain("made");
        expect(readFileSync(join(root, "kept.txt"), "utf8")).toContain("two");
        expect(readFileSync(join(root, "s h.txt"), "utf8")).toBe("shell");
      };
      isAfter();
      expect(retake(name, "undo")).toMatchObject({ status: 0, stderr: "" });
      expect([existsSync(join(root, "a ü.txt")), existsSync(join(root, "s h.txt"))]).toEqual([false, false]);
      expect(readFileSync(join(root, "kept.txt"), "utf8")).toBe("one\n");
      expect(retake(name, "redo")).toMatchObject({ status: 0, stderr: "" });
      isAfter();
    },
  );

  test("whose name is not UTF-8 is refused in words, by its name and through a link", () => {
    mkdirSync(Buffer.from(`${folder}/b\xffd`, "latin1"));
    symlinkSync(Buffer.from("b\xffd", "latin1"), join(folder, "link"));
    for (const way of ["b?d", "link"]) {
      const enter = `cd ${way} && exec "$@"`;
      const env = { ...process.env, RETAKE_HOME: join(folder, "home") };
      const args = ["-c", enter, "sh", process.execPath, MAIN, "run", "--approve", "all", "write a.txt: 1"];
      const ran = spawnSync("sh", args, { cwd: folder, encoding: "utf8", env });
      expect(ran.status, way).not.toBe(0);
      expect(ran.stderr, way).toContain("is not UTF-8. Nothing was changed.");
    }
  });
});
