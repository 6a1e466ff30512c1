import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";

const session = new CliSession();
afterAll(() => session.remove());

async function lines(...args: string[]): Promise<Record<string, unknown>[]> {
  const { stdout } = await session.call(...args, "--json");
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** In order: each test goes on from where the one before left the session. */
describe("retry on the command line", () => {
  beforeAll(async () => {
    expect((await session.call("retry")).status).toBe(4);
    await session.text("run", "--yes", "write a.txt: first");
    await session.text("run", "--yes", "write b.txt: first");
  });

  test("[P3] takes the last turn and its files back, and asks something else", async () => {
    const text = await session.text("retry", "--yes", "write c.txt: second");
    expect(text).toMatch(/✓ Took back the last turn: 4 entries\n {2}removed {2}b\.txt\n[\s\S]*Wrote `c\.txt`/);
    expect(text).toContain("retake undo brings the first answer back");
    expect([session.read("a.txt"), session.read("b.txt"), session.read("c.txt")]).toEqual([
      "first",
      undefined,
      "second",
    ]);
    expect((await session.json("entries")).entries).toHaveLength(8);
    expect(await session.json("settings", "draft")).toEqual({ draft: "" });
  });

  test("[P3] [H16] one undo brings the first answer back, and redo the second", async () => {
    expect(await session.text("undo")).toContain("✓ Undo: Retry: write b.txt: first");
    expect([session.read("b.txt"), session.read("c.txt")]).toEqual(["first", undefined]);
    await session.text("redo");
    expect([session.read("b.txt"), session.read("c.txt")]).toEqual([undefined, "second"]);
    await session.text("undo");
  });

  test("[P3] without words it asks the same, edited or not, and streams events with --json", async () => {
    const prompt = (await session.json("entries")).entries[4]?.["id"] ?? "";
    await session.text("edit", prompt, "--content", "write b.txt: edited");
    const events = await lines("retry", "--yes");
    expect(events[0]).toMatchObject({
      type: "turn-taken-back",
      turns_undone: 1,
      messages_removed: 4,
      files_reverted: ["b.txt"],
      op_id: expect.any(String),
    });
    expect(events[1]).toMatchObject({ type: "turn-started", model: "scripted/default" });
    expect(events.at(-1)).toMatchObject({ type: "turn-finished", status: "finished" });
    expect(session.read("b.txt")).toBe("edited");
  });

  test("[P3] a file that the user changed since is in the way: exit code 3, and nothing has changed", async () => {
    session.write("b.txt", "mine");
    const before = await session.json("entries");
    const ran = await session.call("retry", "--yes");
    expect(ran).toMatchObject({ status: 3, stdout: "", stderr: expect.stringContaining("b.txt (overlap)") });
    expect(await session.json("retry", "--yes")).toMatchObject({
      error: { code: "conflict", details: { conflicts: [{ path: "b.txt", kind: "overlap" }] } },
    });
    expect(session.read("b.txt")).toBe("mine");
    expect(await session.json("entries")).toEqual(before);
  });

  test("[P3] what cannot be is refused before anything changes", async () => {
    session.write("b.txt", "edited");
    const before = await session.json("history");
    expect(await session.call("retry", "--model", "nobody/nothing")).toMatchObject({ status: 2 });
    expect(await session.call("retry", " ")).toMatchObject({
      status: 2,
      stderr: "The prompt is empty. Nothing was changed.\n",
    });
    expect((await session.json("history")).operations).toEqual(before.operations);
    await session.text("clear");
    expect(await session.json("retry")).toMatchObject({ error: { code: "no-such-turn" } });
    await session.text("undo");
  });
});
