import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
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
  test("[B9] entries come as they are, without their place, and can be filtered by role", async () => {
    const { entries } = await session.json("entries");
    expect(entries.map((entry) => entry["role"])).toEqual(["User", "AI", "Tool", "AI", "User", "AI", "Tool", "AI"]);
    expect(entries[0]).toEqual({
      id: expect.stringMatching(/\.prompt$/),
      role: "User",
      content: "printf 'one\\n' > a.txt",
      ts: expect.any(String),
      collapsed: false,
      read_mode: false,
      turn_id: expect.any(String),
      // The facts of the workspace that the model got with this prompt.
      attached: expect.any(Array),
    });
    expect(await session.json("entries", "--role", "User", "--limit", "1")).toMatchObject({
      entries: [{ role: "User" }],
      cursor: entries[0]?.["id"],
    });
    expect(await session.text("entries", "--role", "AI")).toMatch(/^#1\.1 {2}AI .*→ bash\n#1\.2 {2}AI .*Done\.\n/);
  });

  test("[A1] [X7] edit changes the text, and tells beforehand what that breaks for the model", async () => {
    const done = await session.json("edit", "1.0", "--content", "Make a file");
    expect(done).toMatchObject({
      op_id: expect.any(String),
      version: expect.any(Number),
      entry: { content: "Make a file" },
      effects: { summary: expect.stringMatching(/tokens must be sent again/), repairs: [] },
    });
    expect(await session.text("edit", "2.2", "--content", "Ready.")).toMatch(
      /✓ Edit AI entry "Done."\n {2}For the model: .*\n.*retake undo --step\n$/,
    );
    await session.text("undo", "--step", "2");
    expect((await session.contents(thread))[0]).toBe("printf 'one\\n' > a.txt");
  });

  test("[A1] the text comes from a file, the standard input or an editor, without the end of its last line", async () => {
    const file = join(session.root, "text.txt");
    writeFileSync(file, "from a file\n");
    expect((await session.json("edit", "1.0", "--file", file))["entry"]).toMatchObject({ content: "from a file" });
    expect((await session.world({ input: "from\na pipe\n" }).run("edit", "1.0", "-")).status).toBe(0);
    expect((await session.contents(thread))[0]).toBe("from\na pipe");
    expect((await session.world({ env: { EDITOR: "sed -i s/pipe/poem/" } }).run("edit", "1.0")).status).toBe(0);
    expect((await session.contents(thread))[0]).toBe("from\na poem");
    expect(await session.world({ env: { EDITOR: "false" } }).run("edit", "1.0")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("Nothing was changed"),
    });
    expect(await session.call("edit", "1.0")).toMatchObject({ status: 2, stderr: expect.stringContaining("EDITOR") });
    expect(await session.call("edit", "1.0", "-", "--content", "twice")).toMatchObject({ status: 2 });
    expect(await session.call("edit", "1.0", "--content", "from\na poem")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("like that already"),
    });
  });

  test("[F60] entries are named as they are listed, or by their ids; what is near a wrong name is said", async () => {
    const { entries, names } = (await session.json("entries")) as unknown as {
      entries: { id: string }[];
      names: Record<string, string>;
    };
    const id = entries[4]?.id ?? "";
    expect(names[id]).toBe("#2.0");
    for (const [at, name] of [id, "#2.0", "2.0"].entries()) {
      expect((await session.call("edit", name, "--content", `x${at}`)).status).toBe(0);
      expect((await session.contents(thread))[4]).toBe(`x${at}`);
    }
    expect(await session.call("edit", "#2.9", "--content", "x")).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('no entry "#2.9" in this take. Near it: #2.0, #2.1, #2.1.1, #2.2.'),
    });
    expect(await session.call("edit", "2", "--content", "x")).toMatchObject({
      status: 4,
      stderr: expect.stringContaining("#2.0, #2.1"),
    });
    expect(await session.call("remove", "99")).toMatchObject({ status: 4 });
    expect(await session.call("remove")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("Leave out the #"),
    });
  });

  test("[A4] [A5] [A6] [B1] entries are inserted, appended, given another role and removed", async () => {
    const inserted = await session.json("insert", "--before", "1.1", "--role", "Critic", "--content", "between");
    expect(inserted["entry"]).toMatchObject({ role: "Critic", content: "between" });
    expect(await session.world({ input: "at the end\n" }).run("insert", "-")).toMatchObject({ status: 0 });
    expect([(await session.contents(thread))[1], (await session.contents(thread)).at(-1)]).toEqual([
      "between",
      "at the end",
    ]);
    const { id } = inserted["entry"] as { id: string };
    expect(id).toMatch(/^[k-z]{12}$/);
    expect(await session.text("entries")).toContain(`\n${id}  Critic`);
    expect((await session.json("role", id, "AI"))["entry"]).toMatchObject({ role: "AI" });
    expect(await session.text("remove", "1.1")).toMatch(/For the model: .*The result of 'bash' answers no call/);
    expect(await session.contents(thread)).toHaveLength(9);
    expect(await session.call("role", "1.0")).toMatchObject({ status: 2 });
    expect(await session.call("insert")).toMatchObject({ status: 2 });
    await session.text("undo", "--step", "4");
    expect(await session.contents(thread)).toHaveLength(8);
  });
});

describe("settings and lists on the command line", () => {
  test("[S2] settings are shown, changed one at a time, and checked", async () => {
    expect(await session.json("settings")).toMatchObject({
      temperature: 0,
      top_p: 1,
      draft: "",
      use_default_base_prompt: true,
    });
    expect(await session.json("settings", "temperature", "0.5")).toMatchObject({
      op_id: expect.any(String),
      temperature: 0.5,
    });
    expect(await session.json("settings", "temperature")).toEqual({ temperature: 0.5 });
    expect(await session.text("settings", "project_system_prompt", "Be brief.")).toContain(
      "Take this back: retake undo --step",
    );
    expect(await session.text("settings", "project_system_prompt")).toBe("Be brief.\n");
    expect(await session.call("settings", "temperature", "hot")).toMatchObject({ status: 2 });
    expect(await session.call("settings", "temperature", "9")).toMatchObject({ status: 2 });
    expect(await session.call("settings", "colour")).toMatchObject({ status: 4 });
  });

  test("[B5] [D4] roles are added and removed", async () => {
    expect((await session.json("roles", "add", "Critic"))["roles"]).toEqual([
      "User",
      "AI",
      "Vendor API",
      "System",
      "Critic",
    ]);
    expect(await session.call("roles", "add", "Critic")).toMatchObject({ status: 1 });
    expect(await session.text("roles", "remove", "Critic")).toContain("✓ Remove role Critic");
    expect(await session.json("roles")).toEqual({ roles: ["User", "AI", "Vendor API", "System"] });
    expect(await session.call("roles", "remove", "Critic")).toMatchObject({ status: 4 });
    expect(await session.call("roles", "add")).toMatchObject({ status: 2 });
  });

  test("[S2] context files are kept by their path in the workspace", async () => {
    expect((await session.json("context", "add", join(session.root, "a.txt")))["context"]).toEqual([{ path: "a.txt" }]);
    expect(await session.text("context")).toMatch(/^a\.txt\n/);
    expect(await session.call("context", "add", "./a.txt")).toMatchObject({ status: 1 });
    expect((await session.json("context", "remove", "a.txt"))["context"]).toEqual([]);
    expect(await session.call("context", "remove", "a.txt")).toMatchObject({ status: 4 });
    expect(await session.call("context", "remove")).toMatchObject({ status: 2 });
  });
});

describe("the whole conversation on the command line", () => {
  test("[B3] [B10] [X2] truncate and clear are taken back by one undo", async () => {
    expect(await session.text("truncate", "1")).toMatch(
      /✓ Truncate to 1 pair: 4 entries removed\n {2}Take this back: retake undo\n/,
    );
    expect(await session.contents(thread)).toHaveLength(4);
    await session.text("undo");
    expect(await session.call("truncate", "5")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Nothing was changed"),
    });
    expect(await session.call("truncate", "some")).toMatchObject({ status: 2 });
    expect(await session.json("clear")).toMatchObject({ op_id: expect.any(String), version: expect.any(Number) });
    expect(await session.text("entries")).toBe("The conversation is empty.\n");
    await session.text("undo");
    expect(await session.contents(thread)).toHaveLength(8);
  });

  test("[S6] reset clears everything but the files, and one undo brings it back", async () => {
    expect(await session.json("reset")).toMatchObject({ op_id: expect.any(String), version: expect.any(Number) });
    expect(await session.contents(thread)).toEqual([]);
    expect(await session.json("settings")).toMatchObject({ temperature: 0 });
    expect(session.read("a.txt")).toBe("one\n");
    expect(await session.text("undo")).toContain("✓ Undo: Reset the thread");
    expect(await session.contents(thread)).toHaveLength(8);
    expect(await session.json("settings")).toMatchObject({ temperature: 0.5 });
    expect(await session.call("reset", "hard")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("one word too many"),
    });
  });
});

test("[F6] a file outside of the workspace becomes a context file only with --outside", async () => {
  const own = new CliSession();
  const id = await own.thread("sent");
  writeFileSync(join(own.root, "..", "outside.txt"), "out there");
  symlinkSync("../outside.txt", join(own.root, "way-out"));
  for (const path of ["../outside.txt", join(own.root, "..", "outside.txt"), "way-out"]) {
    expect(await own.call("context", "add", path)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--outside"),
    });
  }
  for (const list of ["context_files", "screenshots"])
    expect(await own.call("settings", list, '["way-out"]')).toMatchObject({ status: 2 });
  expect((await own.json("context"))["context"]).toEqual([]);
  const sent = async () => {
    await own.text("run", "hello", "--json");
    const log = readFileSync(join(own.home, "state", "comms", `${id}.jsonl`), "utf8");
    return log.trim().split("\n").slice(-2).join("").includes("out there");
  };
  expect((await own.json("context", "add", "way-out", "--outside"))["context"]).toEqual([{ path: "way-out" }]);
  expect(await sent()).toBe(true);
  expect((await own.json("context", "remove", "way-out"))["context"]).toEqual([]);
  // An undo brings the name back, and no yes.
  await own.text("undo", "--step");
  expect((await own.json("context"))["context"]).toEqual([{ path: "way-out" }]);
  expect(await sent()).toBe(false);
  expect((await own.json("context", "add", "way-out", "--outside"))["op_id"]).toBeNull();
  expect(await sent()).toBe(true);
  own.remove();
});
