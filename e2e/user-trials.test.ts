/** Defects that users met on the command line, tried as they met them. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MAIN } from "../testing/main.ts";

let folder: string;
let root: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "retake-trials-")));
  root = join(folder, "work");
  mkdirSync(root);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function call(...args: string[]) {
  const script = join(folder, "script.json");
  const env = { ...process.env, RETAKE_HOME: join(folder, "home"), RETAKE_MODEL: "scripted/default", NO_COLOR: "1" };
  const scripted = readdirSync(folder).includes("script.json") ? { ...env, RETAKE_SCRIPT: script } : env;
  return spawnSync(process.execPath, [MAIN, ...args], { cwd: root, encoding: "utf8", env: scripted });
}

function retake(...args: string[]): string {
  const { status, stdout, stderr } = call(...args);
  expect({ status, stderr }, args.join(" ")).toEqual({ status: 0, stderr: "" });
  return stdout;
}

function plays(...steps: object[]): void {
  writeFileSync(join(folder, "script.json"), JSON.stringify({ turns: [{ steps }] }));
}

describe("the draft that an undo leaves", () => {
  test("[F28] [U5] is the prompt of the last undone turn, and never blocks the next", () => {
    for (const prompt of ["a", "b", "c"]) retake("run", "--yes", prompt);
    for (const prompt of ["c", "b", "a"]) {
      retake("undo");
      expect(retake("settings", "draft").trim()).toBe(prompt);
    }
    for (const draft of ["b", "c", ""]) {
      retake("redo");
      expect(retake("settings", "draft").trim()).toBe(draft);
    }
  });

  test("[F28] [U5] does not replace what the user typed", () => {
    retake("run", "--yes", "a");
    retake("settings", "draft", "my own words");
    retake("undo");
    expect(retake("settings", "draft").trim()).toBe("my own words");
  });
});

describe("the outcome of each file", () => {
  test("[F22] [F33] a restore over a file that the user deleted replaces the user's version, in the same take", () => {
    retake("run", "--yes", "write a.txt: one");
    const { snapshots } = JSON.parse(retake("snapshots", "--json")) as { snapshots: { id: string; kind: string }[] };
    const after = snapshots.find(({ kind }) => kind === "post-turn")?.id ?? "";
    rmSync(join(root, "a.txt"));
    expect(retake("restore", after, "--on-conflict", "overwrite")).toMatch(/^ {2}replaced a\.txt/m);
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("one");
    writeFileSync(join(root, "a.txt"), "by hand");
    expect(retake("jump", "1", "--on-conflict", "overwrite")).not.toContain("put-away");
  });

  test("[F23] [F33] a file that is restored is not said to stay, whatever no capture holds of it", () => {
    writeFileSync(join(root, "data.log"), "precious\n");
    retake("run", "--yes", "run truncate -s 65M data.log");
    const said = retake("undo", "--on-conflict", "overwrite");
    expect(said).toMatch(/^ {2}replaced data\.log/m);
    expect(said).not.toContain("was not taken back");
    expect(readFileSync(join(root, "data.log"), "utf8")).toBe("precious\n");
  });
});

describe("one call of a turn", () => {
  beforeEach(() => {
    writeFileSync(join(root, "f.txt"), "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    const edit = (old_text: string, new_text: string) => ({
      name: "edit",
      input: { path: "f.txt", old_text, new_text },
    });
    const write = { name: "write", input: { path: "g.txt", content: "g\n" } };
    const bash = { name: "bash", input: { command: "echo hi > h.txt" } };
    plays({ tool_calls: [edit("2", "two"), edit("8", "eight"), write, bash] }, { text: "Done." });
    retake("run", "--approve", "all", "go");
  });

  test("[F41] each row of the history says what the call was given", () => {
    const rows = retake("history", "--all").split("\n");
    for (const row of [
      "edit f.txt completed",
      "write g.txt completed",
      "bash echo hi > h.txt completed",
      "Run write g.txt",
    ])
      expect(
        rows.some((each) => each.trimEnd().endsWith(row)),
        row,
      ).toBe(true);
  });

  test("[F33] [F41] [X3] reverting the operation of a call takes back that call alone", () => {
    const row = retake("history", "--all")
      .split("\n")
      .filter((each) => each.includes("edit f.txt completed"))
      .at(-1);
    const name = row?.trim().split(/\s+/)[0] ?? "";
    const said = retake("revert", name);
    expect(said).toContain("Revert: edit f.txt");
    // The other edit is the agent's, and not the user's.
    expect(said).toMatch(/^ {2}merged +f\.txt \(with later edits\)$/m);
    expect(readFileSync(join(root, "f.txt"), "utf8")).toBe("1\n2\n3\n4\n5\n6\n7\neight\n9\n");
    expect(readdirSync(root).sort()).toEqual(["f.txt", "g.txt", "h.txt"]);
  });
});

describe("tokens", () => {
  beforeEach(() => {
    mkdirSync(join(folder, "home", "config"), { recursive: true });
    const prices = '[prices."scripted/default"]\ninput = 1000\noutput = 2000\n';
    writeFileSync(join(folder, "home", "config", "config.toml"), prices);
  });

  test("[F71] a turn says how many were read and written, and what they cost", () => {
    expect(retake("run", "--yes", "write a.txt: 1")).toMatch(
      /^#1 \d+ tokens: \d+ in, \d+ out, \$\d+\.\d\d\. Take it back: retake undo$/m,
    );
  });

  test("[F71] a thread says the same of all its turns, those that were undone too", () => {
    const totals = ["write a.txt: 1", "hello"].map((prompt) => {
      const lines = retake("run", "--yes", prompt, "--json").trimEnd().split("\n");
      return JSON.parse(lines.at(-1) ?? "") as { usage: Record<string, number>; cost: number };
    });
    retake("undo");
    const sum = (of: (each: (typeof totals)[number]) => number | undefined) =>
      totals.reduce((all, each) => all + (of(each) ?? 0), 0);
    const { turns, usage, cost, models } = JSON.parse(retake("usage", "--json"));
    expect({ turns, usage }).toEqual({
      turns: 2,
      usage: {
        input_tokens: sum((each) => each.usage["input_tokens"]),
        output_tokens: sum((each) => each.usage["output_tokens"]),
      },
    });
    expect(cost).toBeCloseTo(sum((each) => each.cost));
    expect(models).toMatchObject([{ model: "scripted/default", turns: 2 }]);
    expect(retake("usage")).toMatch(/^2 turns, \d+ tokens: \d+ in, \d+ out, \$\d+\.\d\d$/m);
  });
});
