import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CliSession } from "./testing/cli-session.ts";
import { timeOf } from "./time-of.ts";

let session: CliSession;
beforeEach(() => {
  session = new CliSession();
});
afterEach(() => session.remove());

describe("search on the command line", () => {
  test("[L11] finds discussions by what was said, private ones too, with the words in their place", async () => {
    const login = await session.thread("Login", "echo the login form is broken");
    const hidden = await session.privateThread("Hidden", "echo another login, hidden");
    await session.thread("Other", "echo nothing of interest");
    const { threads } = session.json("search", "login");
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
    const text = session.text("search", "login", "form");
    expect(text).toContain("Login  ");
    expect(text).toContain("    User: echo the login form is broken");
    expect(text).toContain("retake switch <thread>");
    expect(session.json("search", "login", "--limit", "1").threads).toHaveLength(1);
    expect(session.text("search", "login", "--limit", "1")).toContain("1 more");
  });

  test("[L11] filters by role, directory and date; nothing found is no failure", async () => {
    await session.thread("One", "echo needle");
    expect(session.json("search", "needle", "--role", "user").threads).toHaveLength(1);
    expect(session.json("search", "needle", "--role", "System").threads).toEqual([]);
    expect(session.json("search", "--dir", ".").threads).toHaveLength(1);
    expect(session.json("search", "needle", "--dir", "/nowhere").threads).toEqual([]);
    expect(session.json("search", "needle", "--since", "1d").threads).toHaveLength(1);
    expect(session.json("search", "needle", "--until", "2001-01-01").threads).toEqual([]);
    expect(session.text("search", "unheard")).toBe("Nothing was found in any discussion.\n");
  });

  test("wrong usage: nothing to search for, no word in it, a time that is none", () => {
    expect(session.run("search")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("Say what to search for"),
    });
    expect(session.run("search", "--", "--")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("no letter"),
    });
    expect(session.run("search", "a", "--since", "soon").status).toBe(2);
  });
});

test("times: days here, from midnight to midnight, and how long ago", () => {
  const midnight = new Date(2026, 0, 31).getTime();
  expect(timeOf("2026-01-31", "start")).toBe(midnight);
  expect(timeOf("2026-01-31", "end")).toBe(midnight + 86_399_999);
  expect(timeOf("2w", "start", 10 ** 12)).toBe(10 ** 12 - 14 * 86_400_000);
  expect(() => timeOf("2026-13-31", "start")).toThrow("is not a time");
});
