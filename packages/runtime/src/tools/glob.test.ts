import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { glob } from "./glob.ts";
import { compileGlob } from "./glob-pattern.ts";
import { temporaryPlaces } from "./testing/temporary-place.ts";

const makePlace = temporaryPlaces();

describe("glob", () => {
  it("lists matching files in order, links too, and goes into no link", async () => {
    const place = makePlace();
    for (const name of ["b.ts", "a.ts", "sub/c.ts", "sub/d.js", ".hidden.ts"]) place.write(name, "");
    symlinkSync(place.outside, place.path("out.ts"));
    writeFileSync(join(place.outside, "x.ts"), "");
    expect((await place.call(glob, { pattern: "**/*.ts" })).content).toBe(".hidden.ts\na.ts\nb.ts\nout.ts\nsub/c.ts");
    expect((await place.call(glob, { pattern: "*.ts", path: "sub" })).content).toBe("sub/c.ts");
    expect((await place.call(glob, { pattern: "sub/*.{js,css}" })).content).toBe("sub/d.js");
    expect((await place.call(glob, { pattern: "*.py" })).content).toMatch(/^No file matches/);
  });

  it("leaves out what ignore files and .git hold, unless they are named", async () => {
    const place = makePlace();
    place.write(".gitignore", "/build/\n*.log\n");
    place.write("sub/.gitignore", "!keep.log\nsecret*\n");
    place.write(".retakeignore", "data/\n");
    for (const name of ["build/x.js", "a.log", "sub/keep.log", "sub/secret.js", "data/y.js", "node_modules/m/z.js"]) {
      place.write(name, "");
    }
    place.write(".git/config.js", "");
    const all = await place.call(glob, { pattern: "**/*.{js,log}" });
    expect(all.content).toBe("sub/keep.log");
    expect((await place.call(glob, { pattern: "build/**" })).content).toBe("build/x.js");
    expect((await place.call(glob, { pattern: "*.js", path: "node_modules/m" })).content).toBe("node_modules/m/z.js");
    expect((await place.call(glob, { pattern: "*", path: ".git" })).content).toBe(".git/config.js");
  });

  it("leaves the workspace only where the path says so, and names it [X8]", async () => {
    const place = makePlace();
    writeFileSync(join(place.outside, "x.ts"), "");
    symlinkSync(place.outside, place.path("link"));
    for (const input of [{ pattern: "../outside/*" }, { pattern: "*", path: "../outside" }]) {
      expect((await glob.examine(input, place)).paths).toEqual([{ path: place.outside, place: "outside" }]);
      expect((await place.call(glob, input)).content).toBe(join(place.outside, "x.ts"));
    }
    expect((await place.call(glob, { pattern: "link/*" })).outcome).toBe("failed");
    expect(glob.check({ pattern: "*/../../x" })).toMatch(/cannot go up/);
  });

  it("bounds what it shows and keeps the whole list", async () => {
    const place = makePlace();
    for (let index = 0; index < 300; index += 1) place.write(`f${index}`, "");
    const run = place.run();
    const end = await glob.run({ pattern: "*" }, run);
    expect(end.content).toMatch(/\(50 more files: narrow the search, or read .* from offset 251\.\)$/);
    expect(end.details).toEqual({ matches: 300, files_seen: 300 });
  });

  it("tells a path that is missing or no directory, and ends when aborted", async () => {
    const place = makePlace();
    place.write("file", "");
    expect((await place.call(glob, { pattern: "*", path: "fils" })).content).toMatch(/Did you mean file\?/);
    expect((await place.call(glob, { pattern: "*", path: "file" })).outcome).toBe("failed");
    mkdirSync(place.path("a/b/c"), { recursive: true });
    const controller = new AbortController();
    const ending = place.call(glob, { pattern: "**" }, { signal: controller.signal });
    controller.abort();
    expect((await ending).outcome).toBe("interrupted");
  });
});

describe("compileGlob", () => {
  const cases: readonly [string, readonly string[], readonly string[]][] = [
    ["*.ts", ["a.ts", ".ts"], ["a/b.ts", "a.tsx"]],
    ["**/*.ts", ["a.ts", "a/b/c.ts"], ["a.js"]],
    ["a/**", ["a/b", "a/b/c"], ["b/a"]],
    ["a/**/b", ["a/b", "a/x/y/b"], ["a/xb"]],
    ["?.c", ["a.c", "é.c"], ["ab.c"]],
    ["[a-c]x", ["ax", "cx"], ["dx"]],
    ["[!a-c]x", ["dx"], ["ax"]],
    ["[]x", ["[]x"], ["x"]],
    ["{a,b{c,d}}.x", ["a.x", "bc.x", "bd.x"], ["b.x"]],
    ["{a}", ["{a}"], ["a"]],
    ["\\*", ["*"], ["a"]],
  ];
  it.each(cases)("%j", (pattern, yes, no) => {
    const compiled = compileGlob(pattern);
    const matches = (path: string) => compiled.kind === "glob" && compiled.matches(path);
    expect([yes.filter((path) => !matches(path)), no.filter(matches)]).toEqual([[], []]);
  });

  it("does not explode", () => {
    const stars = compileGlob(`${"*a".repeat(200)}b`);
    expect(stars.kind === "glob" && stars.matches("a".repeat(250))).toBe(false);
    const deep = compileGlob(`${"**/".repeat(200)}x`);
    expect(deep.kind === "glob" && deep.matches("a/".repeat(200))).toBe(false);
    expect(compileGlob("{a,b}".repeat(20)).kind).toBe("invalid");
  });
});
