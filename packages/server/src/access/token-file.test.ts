import { chmodSync, lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { readToken, TokenFile } from "./token-file.ts";

const folder = mkdtempSync(join(tmpdir(), "retake-token-"));
const file = join(folder, "token");
const OLD = "o".repeat(43);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => rmSync(file, { force: true }));

/** The file is looked at once for all requests of one turn of the event loop. */
const later = () => new Promise((resolve) => setImmediate(resolve));

const elsewhere = join(folder, "elsewhere");
const bad: readonly [string, () => void, RegExp][] = [
  ["that others may read", () => writeFileSync(file, OLD, { mode: 0o644 }), /other users/],
  ["that others may change", () => writeFileSync(file, OLD, { mode: 0o600 }), /other users/],
  ["behind a link", () => symlinkSync(elsewhere, file), /link/],
  ["behind a link that leads nowhere", () => symlinkSync(join(folder, "nowhere"), file), /link/],
  ["that is empty", () => writeFileSync(file, "", { mode: 0o600 }), /empty/],
  ["that is too short", () => writeFileSync(file, "guess\n", { mode: 0o600 }), /short/],
];

test.each(bad)(
  "[F10] a token %s is made anew by a server that starts, and void in one that runs",
  async (name, make, why) => {
    writeFileSync(elsewhere, OLD, { mode: 0o600 });
    const running = new TokenFile(file);
    const good = readToken(file);
    expect(running.matches(good)).toBe(true);
    await later();
    rmSync(file);
    make();
    if (name.endsWith("change")) chmodSync(file, 0o620);
    for (const token of [good, OLD, "", "guess"]) {
      expect(running.matches(token)).toBe(false);
      await later();
    }
    expect(() => readToken(file)).toThrow(why);
    const started = new TokenFile(file);
    expect(started.renewed).toMatch(why);
    const fresh = readToken(file);
    expect(fresh).toMatch(/^[\w-]{43}$/);
    expect([good, OLD]).not.toContain(fresh);
    expect(lstatSync(file).mode & 0o170777).toBe(0o100600);
    expect([started.matches(fresh), running.matches(fresh), started.matches(OLD)]).toEqual([true, true, false]);
    expect(readFileSync(elsewhere, "utf8")).toBe(OLD);
  },
);

test("[F10] a token that is its user's alone is used as it is", () => {
  expect(new TokenFile(file).renewed).toBeUndefined();
  const token = readToken(file);
  expect(new TokenFile(file).renewed).toBeUndefined();
  expect(readToken(file)).toBe(token);
});

test("[F10] a token is void as soon as others may read it", async () => {
  const running = new TokenFile(file);
  const token = readToken(file);
  expect(running.matches(token)).toBe(true);
  await later();
  chmodSync(file, 0o644);
  expect(running.matches(token)).toBe(false);
});
