import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";

const session = new CliSession();
beforeAll(async () => {
  await session.thread("login", "true");
});
afterAll(() => session.remove());

describe("a conflict with something that is no file", () => {
  test("[H11] names it as a person would, and changes nothing", async () => {
    const { op_id: edit } = await session.json("edit", "1.0", "--content", "once");
    await session.call("edit", "1.0", "--content", "twice");
    const refused = await session.call("revert", String(edit));
    expect(refused).toMatchObject({ status: 3, stdout: "" });
    expect(refused.stderr).toContain('entry #1.0 "twice" (entry-edited). Nothing was changed.');
    expect(await session.json("revert", String(edit))).toMatchObject({
      error: { details: { conflicts: [{ path: expect.stringMatching(/^entry:/), kind: "entry-edited" }] } },
    });
    const { op_id: set } = await session.json("settings", "temperature", "0.1");
    await session.call("settings", "temperature", "0.2");
    expect((await session.call("revert", String(set))).stderr).toContain("the setting temperature (entry-edited)");
  });
});
