/** The documents name functions and files: this keeps them true. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** A name and, in brackets or after a comma, its file below `packages/`. */
const NAMED = /`([A-Za-z.]+)`(?: \(|, )`([a-z-]+\/src\/[^`]+\.ts)`/g;

test("docs/architecture.md names functions that are in the files it names", () => {
  const text = readFileSync(join(root, "docs", "architecture.md"), "utf8").replaceAll(/\s+/g, " ");
  const ways = text.slice(text.indexOf("## The way of a prompt"));
  const named = [...ways.matchAll(NAMED)].map(([, name = "", file = ""]) => ({ name, file }));
  expect(named.length).toBeGreaterThan(35);
  expect(named.filter(({ name, file }) => !isDefined(name, file))).toEqual([]);
});

/** `act`, `Feed.look`, or `command.run`, whose object is written out. */
function isDefined(name: string, file: string): boolean {
  const source = readFileSync(join(root, "packages", file), "utf8");
  const [owner = "", member] = name.split(".");
  const declares = new RegExp(`(?:function\\*?|class|const) ${owner}\\b`).test(source);
  return (
    declares && (member === undefined || new RegExp(`^ {2}(?:async )?\\*?${member}(?:<.*>)?\\(`, "m").test(source))
  );
}
