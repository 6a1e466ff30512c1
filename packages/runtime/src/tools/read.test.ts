import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash } from "./bash.ts";
import { read } from "./read.ts";
import { temporaryPlaces } from "./testing/temporary-place.ts";

const makePlace = temporaryPlaces();

describe("read", () => {
  it("shows lines with their numbers", async () => {
    const place = makePlace();
    place.write("a.txt", "one\ntwo\n\nfour");
    const end = await place.call(read, { path: "a.txt" });
    expect(end).toEqual({
      outcome: "completed",
      content: "1\tone\n2\ttwo\n3\t\n4\tfour",
      details: { first_line: 1, last_line: 4, lines: 4 },
    });
  });

  it("shows a part, and says what was left out and how to read on", async () => {
    const place = makePlace();
    place.write("a.txt", Array.from({ length: 5000 }, (_, index) => `line ${index + 1}\n`).join(""));
    const part = await place.call(read, { path: "a.txt", offset: 10, limit: 2 });
    expect(part.content).toBe("10\tline 10\n11\tline 11\n(Lines 10 to 11 of 5,000. Read on with offset 12.)");
    const start = await place.call(read, { path: "a.txt" });
    expect(start.content).toMatch(/Lines 1 to 2000 of 5,000\. Read on with offset 2001\.\)$/);
    const last = await place.call(read, { path: "a.txt", offset: 5000 });
    expect(last.content).toBe("5000\tline 5000\n(Lines 5000 to 5000 of 5,000.)");
    const past = await place.call(read, { path: "a.txt", offset: 5001 });
    expect(past).toMatchObject({ outcome: "failed", content: expect.stringMatching(/has 5,000 lines/) });
  });

  it("bounds what it shows of long lines and of much text, without cutting a character in half", async () => {
    const place = makePlace();
    place.write("long.txt", `${"x".repeat(1999)}\u{1f600}${"y".repeat(3_000_000)}\nnext\n`);
    const long = await place.call(read, { path: "long.txt" });
    expect(long.content).toMatch(/^1\tx{1999}… \(3000002 more characters\)\n2\tnext\n\(Long lines were cut/);
    place.write("wide.txt", `${"z".repeat(1500)}\n`.repeat(1000));
    const wide = await place.call(read, { path: "wide.txt" });
    expect(wide.content.length).toBeLessThan(110_000);
    expect(wide.content).toMatch(/Read on with offset \d+/);
  });

  it("strips CRLF and says so; an empty file is told as empty", async () => {
    const place = makePlace();
    place.write("a.txt", "one\r\ntwo\r\n");
    place.write("empty", "");
    expect((await place.call(read, { path: "a.txt" })).content).toBe("1\tone\n2\ttwo\n(Lines end in CRLF.)");
    expect((await place.call(read, { path: "empty" })).content).toMatch(/empty/);
  });

  it("reads UTF-16 by its mark, shows bytes that are no text as \ufffd, refuses binary", async () => {
    const place = makePlace();
    place.write("wide.txt", Buffer.from("\ufeffhé\n", "utf16le"));
    place.write("latin.txt", Buffer.from("h\xe9\n", "latin1"));
    place.write("image.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]));
    expect((await place.call(read, { path: "wide.txt" })).content).toBe("1\thé");
    expect((await place.call(read, { path: "latin.txt" })).content).toMatch(/^1\th\ufffd\n\(Bytes that are not valid/);
    const binary = await place.call(read, { path: "image.png" });
    expect(binary).toMatchObject({ outcome: "failed", content: expect.stringMatching(/is binary \(8 bytes\)/) });
  });

  it.each([
    ["png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x1f\x41\0\0\0\x01\x08\0\0\0\0", 8001],
    ["gif", "GIF89a\x01\0\x41\x1f", 8001],
    ["jpg", "\xff\xd8\xff\xe0\0\x04\0\0\xff\xff\xc4\0\x03\0\xff\xc2\0\x11\x08\0\x01\x1f\x41\x03", 8001],
    ["webp", "RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x40\x1f\0\0\0\0", 8001],
    ["webp", "RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x01\0\x41\x1f", 8001],
    ["webp", "RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x40\x1f\0\0", 8001],
    ["gif", "GIF89a\x01\0\x40\x1f", undefined],
    ["jpg", "\xff\xd8\xff\xe0\xff\xff", undefined],
    ["png", "\x89PNG\r\n\x1a\n", undefined],
  ])(
    "[S2] shows an image (%s, case %#) unless its header says that a side is too long for models",
    async (type, header, side) => {
      const place = makePlace();
      place.write(`a.${type}`, Buffer.from(header.padEnd(40, "\0"), "latin1"));
      const end = await place.call(read, { path: `a.${type}` });
      expect(end.images?.length ?? 0).toBe(side === undefined ? 1 : 0);
      if (side !== undefined)
        expect(end.content).toContain("a side of 8,001 pixels, and no model is shown more than 8,000");
    },
  );

  it("suggests similar names for a file that is not there", async () => {
    const place = makePlace();
    place.write("src/Button.tsx", "");
    place.write("src/other.css", "");
    const end = await place.call(read, { path: "src/button.ts" });
    expect(end).toMatchObject({ outcome: "failed", content: expect.stringMatching(/mean src\/Button\.tsx\?$/) });
    const directory = await place.call(read, { path: "scr/Button.tsx" });
    expect(directory.content).toMatch(/Did you mean src\?/);
  });

  it("lists a directory, and never opens a pipe or waits for it", async () => {
    const place = makePlace();
    mkdirSync(place.path("src/inner"), { recursive: true });
    place.write("src/a.ts", "");
    await place.call(bash, { command: "mkfifo pipe" });
    const directory = await place.call(read, { path: "src" });
    expect(directory).toMatchObject({ outcome: "failed", content: "src is a directory. It holds:\na.ts\ninner/" });
    expect((await place.call(read, { path: "pipe" })).outcome).toBe("failed");
    expect((await place.call(read, { path: "src/a.ts/b" })).outcome).toBe("failed");
    expect((await place.call(read, { path: `${"x/".repeat(2000)}y` })).outcome).toBe("failed");
  });

  it("names where it reads, and follows no link that was not approved [X8]", async () => {
    const place = makePlace();
    writeFileSync(join(place.outside, "secret"), "s");
    symlinkSync(place.outside, place.path("link"));
    const facts = await read.examine({ path: "link/secret" }, place);
    const fact = { path: join(place.outside, "secret"), place: "outside" } as const;
    expect(facts).toEqual({ writes: false, paths: [fact], irreversible: [] });
    expect((await place.call(read, { path: "link/secret" })).outcome).toBe("failed");
    expect((await place.call(read, { path: "link/secret" }, { approved: [fact] })).content).toBe("1\ts");
  });

  it("ends as interrupted when it was aborted", async () => {
    const place = makePlace();
    place.write("large.txt", "line\n".repeat(1_000_000));
    const controller = new AbortController();
    const report = () => controller.abort();
    const end = await place.call(read, { path: "large.txt" }, { signal: controller.signal, report });
    expect(end.outcome).toBe("interrupted");
  });
});
