import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findConfinement } from "../packages/runtime/src/tools/confine/find-confinement.ts";
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

  describe("whose name is not UTF-8", () => {
    const name = Buffer.from([...Buffer.from(`it's "Müller" ☃ $(x)\\ `), 0xff]);
    const at = (path: string) => Buffer.concat([Buffer.from(`${folder}/bytes/`), name, Buffer.from(`/${path}`)]);
    const text = (path: string) => readFileSync(at(path), "utf8");
    beforeAll(() => {
      mkdirSync(join(folder, "bytes"));
      mkdirSync(at(""));
      mkdirSync(at("deep"));
      mkdirSync(at(".git"));
      writeFileSync(at(".git/config"), "");
      symlinkSync(at(""), join(folder, "link"));
    });
    // A shell's pattern enters it: no argument of a process can name it here.
    const inside = (where: string, ...args: string[]) => {
      const enter = ["-c", `cd ${where} && exec "$@"`, "sh", process.execPath, MAIN, ...args];
      const env = { ...process.env, RETAKE_HOME: join(folder, "home"), RETAKE_MODEL: "scripted/default" };
      return spawnSync("sh", enter, { cwd: folder, encoding: "utf8", env });
    };

    test("is changed, undone and redone, and is one workspace by whatever name", () => {
      const prompt = "write a.txt: made\nwrite deep/b.txt: made\nrun printf shell > s.txt";
      expect(inside("bytes/*", "run", "--approve", "all", prompt)).toMatchObject({ status: 0, stderr: "" });
      expect(["a.txt", "deep/b.txt", "s.txt"].map(text)).toEqual(["made", "made", "shell"]);
      expect(inside("link", "undo")).toMatchObject({ status: 0, stderr: "" });
      expect(["a.txt", "deep/b.txt", "s.txt"].map((path) => existsSync(at(path)))).toEqual([false, false, false]);
      expect(inside("bytes/*/deep", "redo")).toMatchObject({ status: 0, stderr: "" });
      expect(["a.txt", "deep/b.txt", "s.txt"].map(text)).toEqual(["made", "made", "shell"]);
      const root = (...args: string[]) =>
        JSON.parse(inside(...(args as [string]), "status", "--json").stdout).workspace_root;
      const [first, ...others] = ["bytes/*", "bytes/*/deep", "link"].map((where) => root(where));
      expect(others).toEqual([first, first]);
      expect(JSON.parse(inside(".", "status", "--json", "--workspace", "link").stdout).workspace_root).toBe(first);
      expect(JSON.parse(inside(".", "status", "--json", "--workspace", first).stdout).workspace_root).toBe(first);
      expect(inside("link", "doctor")).toMatchObject({ status: 0 });
    });

    test("has its repository and all around it protected from confined commands", async (context) => {
      if ((await findConfinement(process.env)).kind === "none") return context.skip("no way to confine commands here");
      const prompt = "run echo x > .git/config; echo x > ../beside; touch confined";
      inside("bytes/*", "run", "--yes", prompt);
      expect([existsSync(at("confined")), text(".git/config")]).toEqual([true, ""]);
      expect(readdirSync(join(folder, "bytes"))).toHaveLength(1);
      expect(inside("bytes/*", "run", "--yes", "write ../beside: x").status).toBe(5);
      expect(readdirSync(join(folder, "bytes"))).toHaveLength(1);
    });

    test("is refused where its alias was made to lead elsewhere", () => {
      const aliases = join(folder, "home", "state", "aliases");
      const [alias = ""] = readdirSync(aliases);
      rmSync(join(aliases, alias));
      symlinkSync(folder, join(aliases, alias));
      expect(inside("bytes/*", "run", "--approve", "all", "write c.txt: 1")).toMatchObject({
        status: 1,
        stderr: expect.stringContaining("leads elsewhere. Nothing was changed."),
      });
      rmSync(join(aliases, alias));
      expect(inside("bytes/*", "history")).toMatchObject({ status: 0, stdout: expect.stringContaining("write a.txt") });
    });
  });
});
