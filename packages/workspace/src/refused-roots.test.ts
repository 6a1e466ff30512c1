import { mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { resolveRoot } from "./model/resolve-root.ts";
import { openFiles } from "./open-files.ts";
import { temporaryWorkspaces } from "./testing/temporary-workspace.ts";

const temporary = temporaryWorkspaces();
afterEach(() => vi.unstubAllEnvs());

describe("a directory that is not taken as a workspace", () => {
  test.each(["/", homedir()])("refuses %s", (root) => {
    const place = temporary();
    expect(() => openFiles({ root, store: place.store })).toThrow(/not taken as a workspace/);
  });

  test("refuses a parent of the store", () => {
    const place = temporary();
    expect(() => place.open({ root: place.home })).toThrow(/store is in it/);
  });

  // Elsewhere all names are UTF-8.
  test.runIf(process.platform === "linux")(
    "refuses a home directory and a parent of the store also where their path is not UTF-8 and has an alias",
    () => {
      const place = temporary();
      const named = Buffer.concat([Buffer.from(`${place.home}/caf`), Buffer.from([0xe9])]);
      mkdirSync(named);
      symlinkSync(named, join(place.home, "link"));
      const root = resolveRoot(join(place.home, "link"), join(place.home, "aliases"));
      expect(() => place.open({ root, store: join(place.home, "link") })).toThrow(/store is in it/);
      vi.stubEnv("HOME", join(place.home, "link"));
      expect(() => place.open({ root })).toThrow(/home directory/);
      vi.unstubAllEnvs();
      expect(() => place.open({ root })).not.toThrow();
    },
  );
});
