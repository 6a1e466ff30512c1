import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";

let session: CliSession;
beforeEach(() => {
  session = new CliSession();
});
afterEach(() => session.remove());

describe("gc on the command line", () => {
  test("says what it would free, frees it, and what was given up is refused afterwards", async () => {
    await session.thread("one", "echo 1 > a", "echo 2 > a", "echo 3 > a");
    const planned = await session.json("gc", "--keep-turns", "1", "--dry-run");
    expect(planned).toMatchObject({ dry_run: true, captures: expect.any(Number), objects: expect.any(Number) });
    expect(planned["captures"]).toBeGreaterThan(0);
    expect(await session.text("gc", "--keep-turns", "1", "--dry-run")).toMatch(
      /^· Would free \d+ captures? and .*nothing was changed/,
    );
    expect(await session.text("gc", "--keep-turns", "1", "--yes")).toMatch(
      /^✓ Freed \d+ captures? and \d+ file versions?, \d+ B\n/,
    );
    expect(await session.text("gc", "--keep-turns", "1", "--yes")).toBe(
      "Nothing to free: all that is stored is needed.\n",
    );
    expect(await session.json("undo")).toMatchObject({ files_reverted: ["a"] });
    const refused = await session.call("undo");
    expect([refused.status, refused.stderr]).toEqual([4, expect.stringContaining("not kept any more")]);
    expect(session.read("a")).toBe("2\n");
    expect(await session.json("undo", "--scope", "conversation")).toMatchObject({ turns_undone: 1 });
  });

  test("without limits it loses nothing, and a wrong number is wrong usage", async () => {
    await session.thread("one", "echo 1 > a", "echo 2 > a");
    await session.text("gc");
    expect(await session.json("undo", "2")).toMatchObject({ turns_undone: 2, files_reverted: ["a"] });
    expect((await session.call("gc", "--keep-turns", "0")).status).toBe(2);
    expect((await session.call("gc", "--keep-days", "x")).status).toBe(2);
  });
});
