import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import fc from "../../../../testing/fast-check.ts";
import { edit } from "./edit.ts";
import { replaceText } from "./replace-text.ts";
import { temporaryPlaces } from "./testing/temporary-place.ts";

const makePlace = temporaryPlaces();

describe("edit", () => {
  it("replaces a text that occurs once, and says where", async () => {
    const place = makePlace();
    place.write("a.ts", "one\ntwo\nthree\n");
    const end = await place.call(edit, { path: "a.ts", old_text: "two", new_text: "2\n$&" });
    expect(end).toMatchObject({ outcome: "completed", content: "Edited a.ts at line 2." });
    expect(place.read("a.ts")).toBe("one\n2\n$&\nthree\n");
  });

  it("refuses a text that occurs several times, with their lines, unless all are meant", async () => {
    const place = makePlace();
    place.write("a.ts", "x = 1\ny\nx = 1\n");
    const refused = await place.call(edit, { path: "a.ts", old_text: "x = 1", new_text: "x = 2" });
    expect(refused).toMatchObject({ outcome: "failed" });
    expect(refused.content).toMatch(/occurs 2 times in a\.ts, at lines 1, 3\. Nothing was changed\..*replace_all/);
    const all = await place.call(edit, { path: "a.ts", old_text: "x = 1", new_text: "x = 2", replace_all: true });
    expect(all.content).toBe("Edited a.ts 2 times, first at line 1.");
    expect(place.read("a.ts")).toBe("x = 2\ny\nx = 2\n");
  });

  it("shows the nearest lines when the text is not there, and says if only spaces differ", async () => {
    const place = makePlace();
    place.write("a.ts", "import x\n\nfunction add(a, b) {\n    return a + b;\n}\n\nfunction sub() {}\n");
    const spaces = await place.call(edit, {
      path: "a.ts",
      old_text: "function add(a, b) {\n  return a + b;\n}",
      new_text: "",
    });
    expect(spaces.content).toBe(
      "old_text is not in a.ts. Nothing was changed. It differs in white space only from this:\n" +
        "3\tfunction add(a, b) {\n4\t    return a + b;\n5\t}",
    );
    const near = await place.call(edit, { path: "a.ts", old_text: "function sub(a, b) {}", new_text: "" });
    expect(near.content).toMatch(/The nearest there is:\n7\tfunction sub\(\) \{\}$/);
    const none = await place.call(edit, { path: "a.ts", old_text: "zebra", new_text: "" });
    expect(none.content).toMatch(/Nothing in it is like it/);
    const numbered = await place.call(edit, { path: "a.ts", old_text: "1\timport x", new_text: "" });
    expect(numbered.content).toMatch(/line numbers that read shows/);
  });

  it("keeps CRLF, in what it finds and in what it puts in", async () => {
    const place = makePlace();
    place.write("a.txt", "one\r\ntwo\r\nthree\r\n");
    await place.call(edit, { path: "a.txt", old_text: "one\ntwo", new_text: "1\n2\n2.5" });
    await place.call(edit, { path: "a.txt", old_text: "three", new_text: "3\n4" });
    expect(place.read("a.txt")).toBe("1\r\n2\r\n2.5\r\n3\r\n4\r\n");
  });

  it("makes several edits in order, all or none, and says which one does not fit", async () => {
    const place = makePlace();
    place.write("a.ts", "one\ntwo\nthree\n");
    const change = (old_text: string, new_text: string) => ({ old_text, new_text });
    const failed = await place.call(edit, { path: "a.ts", edits: [change("one", "1"), change("four", "4")] });
    expect(failed.outcome).toBe("failed");
    expect(failed.content).toMatch(/^Edit 2 of 2: old_text is not in a\.ts\. Nothing was changed\./);
    expect(place.read("a.ts")).toBe("one\ntwo\nthree\n");
    const edits = [change("one", "two"), { ...change("two", "2"), replace_all: true }, change("three\n", "")];
    expect(await edit.preview?.({ path: "a.ts", edits }, place)).toContain("-three");
    const done = await place.call(edit, { path: "a.ts", edits });
    expect(done).toMatchObject({ outcome: "completed", content: "Edited a.ts at lines 1, 1, 3." });
    expect(place.read("a.ts")).toBe("2\n2\n");
  });

  it("takes one change or a list of changes, not both and not neither", async () => {
    const place = makePlace();
    place.write("a.ts", "one\n");
    const edits = [{ old_text: "one", new_text: "1" }];
    for (const [input, problem] of [
      [{ path: "a.ts" }, "the input lacks old_text."],
      [{ path: "a.ts", old_text: "one" }, "the input lacks new_text."],
      [{ path: "a.ts", edits: [] }, "edits is empty."],
      [
        { path: "a.ts", edits, old_text: "one", new_text: "2" },
        "Give either edits or old_text and new_text, not both.",
      ],
      [{ path: "a.ts", edits: [{ old_text: "one" }] }, "item 1 of edits lacks new_text."],
    ] as const)
      expect(await place.call(edit, input)).toEqual({ outcome: "failed", content: problem });
    const nulls = { path: "a.ts", edits, old_text: null, new_text: null, replace_all: null };
    expect(await place.call(edit, nulls)).toMatchObject({ outcome: "completed" });
  });

  it("refuses an edit that changes nothing", async () => {
    const place = makePlace();
    place.write("a.txt", "one\r\ntwo");
    for (const new_text of ["one\ntwo", "one\r\ntwo"]) {
      const end = await place.call(edit, { path: "a.txt", old_text: "one\ntwo", new_text });
      expect(end).toMatchObject({ outcome: "failed", content: expect.stringMatching(/the same/) });
    }
  });

  it("leaves bytes that are no UTF-8, and a byte order mark, as they are", async () => {
    const place = makePlace();
    place.write("a.txt", Buffer.from("\xef\xbb\xbfh\xe9 one \xff", "latin1"));
    await place.call(edit, { path: "a.txt", old_text: "one", new_text: "zwölf" });
    expect(readFileSync(place.path("a.txt")).toString("latin1")).toBe("\xef\xbb\xbfh\xe9 zw\xc3\xb6lf \xff");
  });

  it("refuses binary and UTF-16 files, directories and files that are not there", async () => {
    const place = makePlace();
    place.write("binary", "one\0");
    place.write("wide", Buffer.from("\ufeffone", "utf16le"));
    mkdirSync(place.path("directory"));
    for (const path of ["binary", "wide", "directory", "missing"]) {
      expect((await place.call(edit, { path, old_text: "one", new_text: "x" })).outcome).toBe("failed");
    }
    expect(edit.check({ path: "a", old_text: "", new_text: "x" })).toMatch(/old_text is empty/);
  });

  it("follows no link out of the workspace [X8]", async () => {
    const place = makePlace();
    writeFileSync(join(place.outside, "x"), "one");
    symlinkSync(join(place.outside, "x"), place.path("link"));
    expect((await place.call(edit, { path: "link", old_text: "one", new_text: "two" })).outcome).toBe("failed");
    expect(readFileSync(join(place.outside, "x"), "utf8")).toBe("one");
  });

  it("loses no edit when two meet: what was changed meanwhile is not replaced", async () => {
    const place = makePlace();
    place.write("a.txt", Array.from({ length: 8 }, (_, index) => `<${index}>`).join("\n"));
    const numbers = Array.from({ length: 8 }, (_, index) => index);
    const ends = await Promise.all(
      numbers.map((index) => place.call(edit, { path: "a.txt", old_text: `<${index}>`, new_text: `[${index}]` })),
    );
    const done = numbers.filter((index) => ends[index]?.outcome === "completed");
    const present = numbers.filter((index) => place.read("a.txt").includes(`[${index}]`));
    expect(present).toEqual(done);
    expect(done.length).toBeGreaterThan(0);
    expect(readdirSync(place.root)).toEqual(["a.txt"]);
  });

  it("replaces as a plain split and join does, on any bytes", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", "é"), maxLength: 30 });
    const wanted = fc.string({ unit: fc.constantFrom("a", "b", "\n"), minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(text, wanted, fc.string(), fc.boolean(), (content, old, put, crlf) => {
        const file = crlf ? content.replaceAll("\n", "\r\n") : content;
        const result = replaceText(Buffer.from(file), old, put, true);
        const plain = content.split(old).join(put.replaceAll("\r\n", "\n"));
        if (old === put) expect(result.kind).toBe("same");
        else if (!content.includes(old)) expect(result.kind).toBe("not-found");
        else {
          const bytes = result.kind === "replaced" ? result.content.toString() : "";
          expect(crlf && content.includes("\n") ? bytes.replaceAll("\r\n", "\n") : bytes).toBe(
            crlf && content.includes("\n") ? plain.replaceAll("\r\n", "\n") : plain,
          );
        }
      }),
    );
  });

  it("names the lines of all matches as a count from the beginning does", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r\n"), maxLength: 40 });
    fc.assert(
      fc.property(text, fc.constantFrom("a", "b", "\n"), (content, old) => {
        const result = replaceText(Buffer.from(content), old, "c", false);
        const before = content.replaceAll("\r\n", "\n").split(old).slice(0, -1);
        const lines = before.map(
          (_, index) =>
            before
              .slice(0, index + 1)
              .join(old)
              .split("\n").length,
        );
        if (lines.length > 1) expect(result).toEqual({ kind: "several", lines });
      }),
    );
  });

  it("counts a million matches in one pass over the file", () => {
    const result = replaceText(Buffer.from('  "a": 1,\n'.repeat(500_000)), '"', "'", false);
    expect(result.kind === "several" && [result.lines.length, result.lines.at(-1)]).toEqual([1_000_000, 500_000]);
  });
});
