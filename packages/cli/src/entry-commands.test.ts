import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";

const session = new CliSession();
let thread: string;

beforeAll(async () => {
  thread = await session.thread("login", "printf 'one\\n' > a.txt", "printf 'two\\n' > b.txt");
});
afterAll(() => session.remove());

/** In order: each test goes on from where the one before left the session. */
describe("entries on the command line", () => {
  test("[B9] entries come as they are, without their place, and can be filtered by role", () => {
    const { entries } = session.json("entries");
    expect(entries.map((entry) => entry["role"])).toEqual(["User", "AI", "Tool", "AI", "User", "AI", "Tool", "AI"]);
    expect(entries[0]).toEqual({
      id: expect.stringMatching(/\.prompt$/),
      role: "User",
      content: "printf 'one\\n' > a.txt",
      ts: expect.any(String),
      collapsed: false,
      read_mode: false,
      turn_id: expect.any(String),
    });
    expect(session.json("entries", "--role", "User", "--limit", "1")).toMatchObject({
      entries: [{ role: "User" }],
      cursor: entries[0]?.["id"],
    });
    expect(session.text("entries", "--role", "AI")).toMatch(/^#1\.1 {2}AI .*→ bash\n#1\.2 {2}AI .*Done\.\n/);
  });

  test("[A1] [X7] edit changes the text, and tells beforehand what that breaks for the model", async () => {
    const done = session.json("edit", "1.0", "--content", "Make a file");
    expect(done).toMatchObject({
      op_id: expect.any(String),
      version: expect.any(Number),
      entry: { content: "Make a file" },
      effects: { summary: expect.stringMatching(/tokens must be sent again/), repairs: [] },
    });
    expect(session.text("edit", "2.2", "--content", "Ready.")).toMatch(
      /✓ Edit AI entry "Done."\n {2}For the model: .*\n.*retake undo --step\n$/,
    );
    session.text("undo", "--step", "2");
    expect((await session.contents(thread))[0]).toBe("printf 'one\\n' > a.txt");
  });

  test("[A1] the text comes from a file, the standard input or an editor, without the end of its last line", async () => {
    const file = join(session.root, "text.txt");
    writeFileSync(file, "from a file\n");
    expect(session.json("edit", "1.0", "--file", file)["entry"]).toMatchObject({ content: "from a file" });
    expect(session.runWith({ input: "from\na pipe\n" }, "edit", "1.0", "-").status).toBe(0);
    expect((await session.contents(thread))[0]).toBe("from\na pipe");
    expect(session.runWith({ env: { EDITOR: "sed -i s/pipe/poem/" } }, "edit", "1.0").status).toBe(0);
    expect((await session.contents(thread))[0]).toBe("from\na poem");
    expect(session.runWith({ env: { EDITOR: "false" } }, "edit", "1.0")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("Nothing was changed"),
    });
    expect(session.run("edit", "1.0")).toMatchObject({ status: 2, stderr: expect.stringContaining("EDITOR") });
    expect(session.run("edit", "1.0", "-", "--content", "twice")).toMatchObject({ status: 2 });
    expect(session.run("edit", "1.0", "--content", "from\na poem")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("like that already"),
    });
  });

  test("[F60] entries are named as they are listed, or by their ids; what is near a wrong name is said", async () => {
    const { entries, names } = session.json("entries") as unknown as {
      entries: { id: string }[];
      names: Record<string, string>;
    };
    const id = entries[4]?.id ?? "";
    expect(names[id]).toBe("#2.0");
    for (const [at, name] of [id, "#2.0", "2.0"].entries()) {
      expect(session.run("edit", name, "--content", `x${at}`).status).toBe(0);
      expect((await session.contents(thread))[4]).toBe(`x${at}`);
    }
    expect(session.run("edit", "#2.9", "--content", "x")).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('no entry "#2.9" in this take. Near it: #2.0, #2.1, #2.1.1, #2.2.'),
    });
    expect(session.run("edit", "2", "--content", "x")).toMatchObject({
      status: 4,
      stderr: expect.stringContaining("#2.0, #2.1"),
    });
    expect(session.run("remove", "99")).toMatchObject({ status: 4 });
    expect(session.run("remove")).toMatchObject({ status: 2, stderr: expect.stringContaining("Leave out the #") });
  });

  test("[A4] [A5] [A6] [B1] entries are inserted, appended, given another role and removed", async () => {
    const inserted = session.json("insert", "--before", "1.1", "--role", "Critic", "--content", "between");
    expect(inserted["entry"]).toMatchObject({ role: "Critic", content: "between" });
    expect(session.runWith({ input: "at the end\n" }, "insert", "-")).toMatchObject({ status: 0 });
    expect([(await session.contents(thread))[1], (await session.contents(thread)).at(-1)]).toEqual([
      "between",
      "at the end",
    ]);
    const { id } = inserted["entry"] as { id: string };
    expect(id).toMatch(/^[k-z]{12}$/);
    expect(session.text("entries")).toContain(`\n${id}  Critic`);
    expect(session.json("role", id, "AI")["entry"]).toMatchObject({ role: "AI" });
    expect(session.text("remove", "1.1")).toMatch(/For the model: .*The result of 'bash' answers no call/);
    expect(await session.contents(thread)).toHaveLength(9);
    expect(session.run("role", "1.0")).toMatchObject({ status: 2 });
    expect(session.run("insert")).toMatchObject({ status: 2 });
    session.text("undo", "--step", "4");
    expect(await session.contents(thread)).toHaveLength(8);
  });
});

describe("settings and lists on the command line", () => {
  test("[S2] settings are shown, changed one at a time, and checked", () => {
    expect(session.json("settings")).toMatchObject({
      temperature: 0,
      top_p: 1,
      draft: "",
      use_default_base_prompt: true,
    });
    expect(session.json("settings", "temperature", "0.5")).toMatchObject({
      op_id: expect.any(String),
      temperature: 0.5,
    });
    expect(session.json("settings", "temperature")).toEqual({ temperature: 0.5 });
    expect(session.text("settings", "project_system_prompt", "Be brief.")).toContain(
      "Take this back: retake undo --step",
    );
    expect(session.text("settings", "project_system_prompt")).toBe("Be brief.\n");
    expect(session.run("settings", "temperature", "hot")).toMatchObject({ status: 2 });
    expect(session.run("settings", "temperature", "9")).toMatchObject({ status: 2 });
    expect(session.run("settings", "colour")).toMatchObject({ status: 4 });
  });

  test("[B5] [D4] roles are added and removed", () => {
    expect(session.json("roles", "add", "Critic")["roles"]).toEqual(["User", "AI", "Vendor API", "System", "Critic"]);
    expect(session.run("roles", "add", "Critic")).toMatchObject({ status: 1 });
    expect(session.text("roles", "remove", "Critic")).toContain("✓ Remove role Critic");
    expect(session.json("roles")).toEqual({ roles: ["User", "AI", "Vendor API", "System"] });
    expect(session.run("roles", "remove", "Critic")).toMatchObject({ status: 4 });
    expect(session.run("roles", "add")).toMatchObject({ status: 2 });
  });

  test("[S2] context files are kept by their path in the workspace", () => {
    expect(session.json("context", "add", join(session.root, "a.txt"))["context"]).toEqual([{ path: "a.txt" }]);
    expect(session.text("context")).toMatch(/^a\.txt\n/);
    expect(session.run("context", "add", "./a.txt")).toMatchObject({ status: 1 });
    expect(session.json("context", "remove", "a.txt")["context"]).toEqual([]);
    expect(session.run("context", "remove", "a.txt")).toMatchObject({ status: 4 });
    expect(session.run("context", "remove")).toMatchObject({ status: 2 });
  });
});

describe("the whole conversation on the command line", () => {
  test("[B3] [B10] [X2] truncate and clear are taken back by one undo", async () => {
    expect(session.text("truncate", "1")).toMatch(
      /✓ Truncate to 1 pair: 4 entries removed\n {2}Take this back: retake undo\n/,
    );
    expect(await session.contents(thread)).toHaveLength(4);
    session.text("undo");
    expect(session.run("truncate", "5")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Nothing was changed"),
    });
    expect(session.run("truncate", "some")).toMatchObject({ status: 2 });
    expect(session.json("clear")).toMatchObject({ op_id: expect.any(String), version: expect.any(Number) });
    expect(session.text("entries")).toBe("The conversation is empty.\n");
    session.text("undo");
    expect(await session.contents(thread)).toHaveLength(8);
  });

  test("[S6] reset clears everything but the files, and one undo brings it back", async () => {
    expect(session.json("reset")).toMatchObject({ op_id: expect.any(String), version: expect.any(Number) });
    expect(await session.contents(thread)).toEqual([]);
    expect(session.json("settings")).toMatchObject({ temperature: 0 });
    expect(session.read("a.txt")).toBe("one\n");
    expect(session.text("undo")).toContain("✓ Undo: Reset the session");
    expect(await session.contents(thread)).toHaveLength(8);
    expect(session.json("settings")).toMatchObject({ temperature: 0.5 });
    expect(session.run("reset", "hard")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("one word too many"),
    });
  });
});
