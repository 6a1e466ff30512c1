import type { JsonObject } from "@retake/core";
import { describe, expect, it } from "vitest";
import { temporaryPlaces } from "./testing/temporary-place.ts";
import { todo } from "./todo.ts";
import { TOOLS } from "./tools.ts";

const makePlace = temporaryPlaces();

const inputs: Readonly<Record<string, JsonObject>> = {
  read: { path: "a" },
  write: { path: "a", content: "" },
  edit: { path: "a", old_text: "a", new_text: "b" },
  bash: { command: "true" },
  bash_output: { name: "bash-1" },
  bash_end: { name: "bash-1" },
  glob: { pattern: "*" },
  grep: { pattern: "a" },
  fetch: { url: "https://example.org/" },
  todo: { items: [] },
};

describe("the tools", () => {
  it("are those of the interface", () => {
    expect(TOOLS.map(({ name }) => name).join(" ")).toBe(
      "read write edit bash bash_output bash_end glob grep fetch todo",
    );
  });

  it.each(TOOLS)("$name checks its input by the schema the model is shown", ({ name, check }) => {
    const input = inputs[name] ?? {};
    expect(check(input)).toBeUndefined();
    expect(check({ ...input, other: 1 })).toMatch(/has no field "other"; its fields are/);
    expect(check({ ...input, __proto__x: 1 })).toBeDefined();
    for (const field of Object.keys(input)) {
      const { [field]: _, ...rest } = input;
      expect(check(rest)).toBe(`the input lacks ${field}.`);
      expect(check({ ...input, [field]: 7 })).toMatch(/must be a/);
      expect(check({ ...input, [field]: null })).toBeDefined();
      if (typeof input[field] === "string") expect(check({ ...input, [field]: "\ud800" })).toMatch(/surrogate/);
    }
  });

  it.each(TOOLS)("$name accepts null for what may be absent, and refuses NUL in a path", ({ name, input, check }) => {
    const optional = { read: "offset", edit: "replace_all", bash: "timeout_ms", glob: "path", grep: "glob" }[name];
    if (optional !== undefined) expect(check({ ...inputs[name], [optional]: null })).toBeUndefined();
    if (JSON.stringify(input).includes('"path":')) expect(check({ ...inputs[name], path: "a\0b" })).toMatch(/NUL/);
  });

  it.each(TOOLS)("$name does nothing once aborted, and answers so", async ({ name, run }) => {
    const place = makePlace();
    const end = await run(inputs[name] ?? {}, place.run({ signal: AbortSignal.abort() }));
    expect(end.outcome).toBe("interrupted");
  });
});

describe.each(["with space", `'quo"te$(x)\\`, "Müller ☃ 日本", "e\u0301", "new\nline"])(
  "[F20] in a workspace named %j",
  (name) => {
    it("every tool finds and changes files, whatever they are named", async () => {
      const place = makePlace(name);
      const ends = async (tool: string, input: JsonObject) => {
        const found = TOOLS.find((each) => each.name === tool);
        if (!found) throw new Error(tool);
        const end = await place.call(found, input);
        expect(end, tool).toMatchObject({ outcome: "completed" });
        return end.content;
      };
      const path = `${name}/${name}.txt`;
      await ends("write", { path, content: "one\n" });
      await ends("edit", { path, old_text: "one", new_text: "two" });
      expect(place.read(path)).toBe("two\n");
      expect(await ends("read", { path })).toContain("two");
      expect(await ends("glob", { pattern: "**/*.txt" })).toContain(".txt");
      expect(await ends("grep", { pattern: "two" })).toContain("two");
      await ends("bash", { command: "cat */*.txt > copy.txt" });
      expect(place.read("copy.txt")).toBe("two\n");
    });
  },
);

describe("todo", () => {
  it("keeps the list as its result and touches nothing", async () => {
    const place = makePlace();
    const items = [
      { text: "read", status: "done" },
      { text: "write", status: "in_progress" },
      { text: "test", status: "pending" },
    ];
    const end = await place.call(todo, { items });
    expect(end.content).toBe("[x] read\n[>] write\n[ ] test\n1 of 3 done.");
    expect(end.details).toEqual({ items });
    expect(await todo.examine({ items }, place)).toEqual({ writes: false, paths: [], irreversible: [] });
    expect(todo.check({ items: [{ text: "a", status: "later" }] })).toBe(
      "status of item 1 of items must be one of pending, in_progress, done.",
    );
  });
});
