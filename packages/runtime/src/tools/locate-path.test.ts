import { mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isKept, locatePath, strayed } from "./locate-path.ts";
import { type TemporaryPlace, temporaryPlaces } from "./testing/temporary-place.ts";

const makePlace = temporaryPlaces();

function factAbout(path: string, place: TemporaryPlace) {
  const located = locatePath(path, place);
  return [located.place, located.path];
}

describe("locatePath says where a path leads [X8]", () => {
  it.each([
    ["a", "a"],
    ["./a/../b//c", "b/c"],
    [".", "."],
    ["not/there/yet", "not/there/yet"],
    [".gitignore", ".gitignore"],
    ["git", "git"],
    ["~x", "~x"],
  ])("%j is in the workspace", (path, shown) => {
    expect(factAbout(path, makePlace())).toEqual(["workspace", shown]);
  });

  it.each([".git", ".git/config", "sub/.GIT/hooks/x", ".git ", "git~1", ".g\u200cit", ".git::$INDEX_ALLOCATION"])(
    "%j is in a .git directory",
    (path) => {
      expect(factAbout(path, makePlace())[0]).toBe("git-directory");
    },
  );

  it("an absolute path into the workspace is in it", () => {
    const place = makePlace();
    expect(factAbout(place.path("a/b"), place)).toEqual(["workspace", "a/b"]);
  });

  it("leaves by ../, by an absolute path and by ~", () => {
    const place = makePlace();
    expect(factAbout("../x", place)).toEqual(["outside", join(place.home, "x")]);
    expect(factAbout("a/../../x", place)).toEqual(["outside", join(place.home, "x")]);
    expect(factAbout("/etc/passwd", place)[0]).toBe("outside");
    expect(factAbout("~/x", place)).toEqual(["outside", join(homedir(), "x")]);
    expect(factAbout(`${place.root}x`, place)[0]).toBe("outside");
  });

  it("follows links: in the middle, at the end, dangling, chained, and `..` behind one", () => {
    const place = makePlace();
    mkdirSync(join(place.outside, "deep"));
    symlinkSync(join(place.outside, "deep"), place.path("link"));
    symlinkSync("../outside/missing", place.path("dangling"));
    symlinkSync("dangling", place.path("chained"));
    symlinkSync(".git", place.path("repository"));
    expect(factAbout("link/x", place)).toEqual(["outside", join(place.outside, "deep/x")]);
    expect(factAbout("link/../x", place)).toEqual(["outside", join(place.outside, "x")]);
    expect(factAbout("dangling", place)).toEqual(["outside", join(place.outside, "missing")]);
    expect(factAbout("chained", place)).toEqual(["outside", join(place.outside, "missing")]);
    expect(factAbout("repository/config", place)).toEqual(["git-directory", ".git/config"]);
  });

  it("ends on links in a circle", () => {
    const place = makePlace();
    symlinkSync("b", place.path("a"));
    symlinkSync("a", place.path("b"));
    expect(factAbout("a/x", place)[0]).toBe("workspace");
  });

  it("knows a repository that a .git file or link keeps elsewhere in the workspace", () => {
    const place = makePlace();
    mkdirSync(place.path("real"));
    place.write(".git", "gitdir: real\n");
    expect(factAbout("real/config", place)[0]).toBe("git-directory");
    expect(factAbout("src/real/config", place)[0]).toBe("workspace");
  });
});

describe("strayed refuses what leads elsewhere without saying so [X8]", () => {
  it("unless exactly that was approved", () => {
    const place = makePlace();
    symlinkSync(place.outside, place.path("link"));
    const located = locatePath("link/x", place);
    const fact = { path: join(place.outside, "x"), place: "outside" } as const;
    expect(strayed(located, place.run())).toMatch(/through a link/);
    expect(strayed(located, place.run({ approved: [{ ...fact, path: "/other" }] }))).toMatch(/through a link/);
    expect(strayed(located, place.run({ approved: [fact] }))).toBeUndefined();
    expect(strayed(locatePath("../outside/x", place), place.run())).toBeUndefined();
  });

  it("output kept for reading on is not a place to ask about", () => {
    const place = makePlace();
    expect(isKept(locatePath(join(place.kept, "1.txt"), place), place)).toBe(true);
    expect(isKept(locatePath(join(place.kept, "../outside"), place), place)).toBe(false);
  });
});
