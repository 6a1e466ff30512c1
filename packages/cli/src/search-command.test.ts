import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";
import { timeOf } from "./time-of.ts";

let session: CliSession;
beforeEach(() => {
  session = new CliSession();
});
afterEach(() => session.remove());

describe("search on the command line", () => {
  test("[L11] finds threads by what was said, private ones too, with the words in their place", async () => {
    const login = await session.thread("Login", "echo the login form is broken");
    const hidden = await session.privateThread("Hidden", "echo another login, hidden");
    await session.thread("Other", "echo nothing of interest");
    const { threads } = await session.json("search", "login");
    expect(threads.map(({ id }) => id).sort()).toEqual([login, hidden].sort());
    expect(threads.find(({ id }) => id === login)).toMatchObject({
      title: "Login",
      private: false,
      tags: [],
      matches: expect.arrayContaining([
        expect.objectContaining({
          role: "User",
          snippet: "echo the login form is broken",
          highlights: [{ start: 9, end: 14 }],
        }),
      ]),
    });
    const text = await session.text("search", "login", "form");
    expect(text).toContain("Login  ");
    expect(text).toContain("    User: echo the login form is broken");
    expect(text).toContain("retake switch <thread>");
    expect((await session.json("search", "login", "--limit", "1")).threads).toHaveLength(1);
    expect(await session.text("search", "login", "--limit", "1")).toContain("1 more");
  });

  test("[L11] filters by role, directory and date; nothing found is no failure", async () => {
    await session.thread("One", "echo needle");
    expect((await session.json("search", "needle", "--role", "user")).threads).toHaveLength(1);
    expect((await session.json("search", "needle", "--role", "System")).threads).toEqual([]);
    expect((await session.json("search", "--dir", ".")).threads).toHaveLength(1);
    expect((await session.json("search", "needle", "--dir", "/nowhere")).threads).toEqual([]);
    expect((await session.json("search", "needle", "--since", "1d")).threads).toHaveLength(1);
    expect((await session.json("search", "needle", "--until", "2001-01-01")).threads).toEqual([]);
    expect(await session.text("search", "unheard")).toBe("Nothing was found in any thread.\n");
  });

  test("wrong usage: nothing to search for, a time that is none", async () => {
    expect(await session.call("search")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("Say what to search for"),
    });
    expect((await session.call("search", "a", "--since", "soon")).status).toBe(2);
  });
});

test("times: days here, from midnight to midnight, and how long ago", () => {
  const midnight = new Date(2026, 0, 31).getTime();
  expect(timeOf("2026-01-31", "start", 0)).toBe(midnight);
  expect(timeOf("2026-01-31", "end", 0)).toBe(midnight + 86_399_999);
  expect(timeOf("2w", "start", 10 ** 12)).toBe(10 ** 12 - 14 * 86_400_000);
  expect(() => timeOf("2026-13-31", "start", 0)).toThrow("is not a time");
});
