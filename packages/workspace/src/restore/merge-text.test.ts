import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import { mergeText } from "./merge-text.ts";

const merge = (base: string, ours: string, theirs: string) =>
  mergeText(Buffer.from(base), Buffer.from(ours), Buffer.from(theirs));
const clean = (content: string) => ({ kind: "clean", content: Buffer.from(content) });

describe("three-way merge", () => {
  test.each([
    ["takes both sides' edits", "a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n", "A\nb\nc\nD\n"],
    ["takes an edit that both sides made once", "a\nb\n", "a\nB\n", "a\nB\n", "a\nB\n"],
    ["keeps CRLF line by line", "a\r\nb\r\nc\r\n", "A\r\nb\r\nc\r\n", "a\r\nb\r\nC\r\n", "A\r\nb\r\nC\r\n"],
    ["keeps a missing newline at the end", "a\nb\nc", "A\nb\nc", "a\nb\nc\nd", "A\nb\nc\nd"],
    ["takes an insertion and a deletion apart", "a\nb\nc\nd\n", "a\nx\nb\nc\nd\n", "a\nb\nc\n", "a\nx\nb\nc\n"],
    ["starts from nothing", "", "a\n", "", "a\n"],
  ])("%s", (_, base, ours, theirs, merged) => {
    expect(merge(base, ours, theirs)).toEqual(clean(merged));
  });

  test("keeps bytes of no text encoding", () => {
    const base = Buffer.from([0xff, 10, 0xfe, 10, 0xfd, 10]);
    const ours = Buffer.from([0xf0, 10, 0xfe, 10, 0xfd, 10]);
    const theirs = Buffer.from([0xff, 10, 0xfe, 10, 0xf1, 10]);
    expect(mergeText(base, ours, theirs)).toEqual({
      kind: "clean",
      content: Buffer.from([0xf0, 10, 0xfe, 10, 0xf1, 10]),
    });
  });

  test("[X1] edits of the same or of touching lines conflict, and are marked with the file's own line endings", () => {
    expect(merge("a\r\nb\r\nc\r\n", "a\r\nours\r\nc\r\n", "a\r\ntheirs\r\nc\r\n")).toEqual({
      kind: "conflict",
      conflicts: 1,
      marked: Buffer.from("a\r\n<<<<<<< on disk\r\nours\r\n=======\r\ntheirs\r\n>>>>>>> restored\r\nc\r\n"),
    });
    expect(merge("a\nb\n", "A\nb\n", "a\nB\n").kind).toBe("conflict");
  });

  test("ends the last line before a marker", () => {
    const merged = merge("a\nb", "a\nours", "a\ntheirs");
    expect(merged).toMatchObject({
      marked: Buffer.from("a\n<<<<<<< on disk\nours\n=======\ntheirs\n>>>>>>> restored\n"),
    });
  });

  test("never merges content that is not text", () => {
    expect(merge("a\0b", "a\0c", "a\0d")).toEqual({ kind: "binary" });
    const huge = Buffer.alloc(17 * 1024 * 1024, "line\n");
    expect(mergeText(huge, Buffer.concat([huge, huge]), Buffer.from("x"))).toEqual({ kind: "binary" });
  });

  test("merges large texts, also without a common line", () => {
    const lines = (prefix: string) => Array.from({ length: 60_000 }, (_, index) => `${prefix} ${index}\n`);
    const base = lines("line");
    const merged = merge(base.join(""), `first\n${base.join("")}`, `${base.join("")}last\n`);
    expect(merged).toEqual(clean(`first\n${base.join("")}last\n`));
    expect(merge(base.join(""), lines("ours").join(""), lines("theirs").join("")).kind).toBe("conflict");
    const shuffled = [...base].sort((a, b) => (a.slice(-4) < b.slice(-4) ? -1 : 1));
    expect(merge(base.join(""), shuffled.join(""), base.toReversed().join("")).kind).toBe("conflict");
  });
});

describe("compared with git merge-file", () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "retake-merge-"));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  function gitMerge(base: string, ours: string, theirs: string): Buffer | undefined {
    const paths = ["ours", "base", "theirs"].map((name) => join(directory, name));
    for (const [index, content] of [ours, base, theirs].entries()) writeFileSync(paths[index] as string, content);
    const { status, stdout } = spawnSync("git", ["merge-file", "-p", ...paths]);
    return status === 0 ? stdout : undefined;
  }

  // Few different lines, so that matches are often ambiguous: there alignments differ.
  const text = fc.integer({ min: 2, max: 40 }).chain((kinds) => {
    const line = fc.integer({ min: 0, max: kinds }).map((kind) => `line ${kind}`);
    const edit = fc.record({
      at: fc.nat(60),
      removed: fc.nat(3),
      added: fc.array(line, { maxLength: 3 }),
    });
    return fc.record({
      base: fc.array(line, { maxLength: 60 }),
      ours: fc.array(edit, { maxLength: 4 }),
      theirs: fc.array(edit, { maxLength: 4 }),
      ending: fc.constantFrom("\n", "\n", "\r\n"),
      unterminated: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
    });
  });

  test("[X1] agrees wherever both merge cleanly, and nearly always on which merges are clean", () => {
    let both = 0;
    let oneOnly = 0;
    fc.assert(
      fc.property(text, ({ base, ours, theirs, ending, unterminated }) => {
        const write = (lines: string[], open: boolean) =>
          lines.join(ending) + (open || lines.length === 0 ? "" : ending);
        const apply = (edits: typeof ours) => {
          const lines = [...base];
          for (const { at, removed, added } of edits) lines.splice(at % (lines.length + 1), removed, ...added);
          return lines;
        };
        const texts = [base, apply(ours), apply(theirs)].map((lines, index) =>
          write(lines, unterminated[index] === true),
        );
        const [a, b, c] = texts as [string, string, string];
        const git = gitMerge(a, b, c);
        const result = merge(a, b, c);
        if ((git !== undefined) !== (result.kind === "clean")) oneOnly += 1;
        else if (git) {
          both += 1;
          expect(result).toEqual({ kind: "clean", content: git });
        }
      }),
      cases(600, 20_000),
    );
    expect(both).toBeGreaterThan(100);
    expect(oneOnly).toBeLessThan(both / 20);
  });
});
