import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { grep } from "./grep.ts";
import { temporaryPlaces } from "./testing/temporary-place.ts";

const makePlace = temporaryPlaces();

describe("grep", () => {
  it("answers path, line and text, in order", async () => {
    const place = makePlace();
    place.write("b.ts", "let foo = 1;\r\nbar\n");
    place.write("a/x.ts", "no\n  foo()");
    expect((await place.call(grep, { pattern: "foo" })).content).toBe("a/x.ts:2:   foo()\nb.ts:1: let foo = 1;");
    expect((await place.call(grep, { pattern: "^foo|bar$" })).content).toBe("b.ts:2: bar");
    expect((await place.call(grep, { pattern: "(?i)FOO", path: "a" })).content).toBe("a/x.ts:2:   foo()");
    expect((await place.call(grep, { pattern: "nowhere" })).content).toBe("No match (2 files searched).");
  });

  it("searches only files like glob, a named file always", async () => {
    const place = makePlace();
    place.write(".gitignore", "*.log");
    for (const name of ["src/a.ts", "src/b.css", "c.ts", "d.log"]) place.write(name, "word\n");
    expect((await place.call(grep, { pattern: "word", glob: "*.ts" })).content).toBe("c.ts:1: word\nsrc/a.ts:1: word");
    expect((await place.call(grep, { pattern: "word", glob: "src/*.{css,html}" })).content).toBe("src/b.css:1: word");
    expect((await place.call(grep, { pattern: "word", path: "d.log" })).content).toBe("d.log:1: word");
  });

  it("leaves out binary files and links, and says what it left out", async () => {
    const place = makePlace();
    place.write("binary", "word\0");
    place.write("text", "word\n");
    writeFileSync(join(place.outside, "x"), "word");
    symlinkSync(place.outside, place.path("out"));
    symlinkSync(join(place.outside, "x"), place.path("file"));
    const end = await place.call(grep, { pattern: "word" });
    expect(end.content).toBe("text:1: word\n(1 file searched; left out: 1 binary.)");
    expect((await place.call(grep, { pattern: "word", path: "out" })).outcome).toBe("failed");
  });

  it("leaves the workspace only where the path says so, and names it [X8]", async () => {
    const place = makePlace();
    writeFileSync(join(place.outside, "x"), "word");
    const facts = await grep.examine({ pattern: "word", path: "../outside" }, place);
    expect(facts.paths).toEqual([{ path: place.outside, place: "outside" }]);
    const end = await place.call(grep, { pattern: "word", path: "../outside" });
    expect(end.content).toBe(`${join(place.outside, "x")}:1: word`);
  });

  it("cuts long lines around the match, and bounds the list", async () => {
    const place = makePlace();
    place.write("long", `${"x".repeat(100_000)}needle${"y".repeat(100_000)}`);
    const long = await place.call(grep, { pattern: "needle" });
    expect(long.content).toMatch(/^long:1: …x{60}needley+… \(a line of 200,006 characters\)$/);
    expect(long.content.length).toBeLessThan(400);
    place.write("many", "hit\n".repeat(60_000));
    const run = place.run();
    const many = await grep.run({ pattern: "hit" }, run);
    expect(many.content).toMatch(/\(59,750 more matches: narrow the search, or read/);
    expect(many.details).toMatchObject({ matches: 60_000 });
  });

  it("stops a pattern that explodes, tells where, and shows what it had", async () => {
    const place = makePlace();
    place.write("a", "aaa\n");
    place.write("b", `${"a".repeat(60)}!\n`);
    const end = await place.call(grep, { pattern: "^(a+)+$" });
    expect(end.outcome).toBe("failed");
    expect(end.content).toMatch(/^a:1: aaa\nStopped: the pattern takes too long in b\./);
  });

  it("tells a wrong pattern and a missing path, and ends when aborted", async () => {
    const place = makePlace();
    expect(grep.check({ pattern: "(" })).toMatch(/Invalid regular expression/);
    expect(grep.check({ pattern: "a", glob: "{a,b}".repeat(20) })).toMatch(/alternatives/);
    expect((await place.call(grep, { pattern: "a", path: "missing" })).content).toMatch(/There is no missing/);
    place.write("a", "a");
    const controller = new AbortController();
    const ending = place.call(grep, { pattern: "a" }, { signal: controller.signal });
    controller.abort();
    expect((await ending).outcome).toBe("interrupted");
  });
});
