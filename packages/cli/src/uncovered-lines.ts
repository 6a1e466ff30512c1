import type { Output } from "./output.ts";

const SHOWN = 10;

/** Paths on disk that no capture covers, each with the reason (X4). */
export function uncoveredLines(
  output: Output,
  uncovered: readonly { readonly path: string; readonly reason: string }[],
): string[] {
  const rows = uncovered.slice(0, SHOWN).map(({ path, reason }) => [`  ${WHY[reason] ?? reason}`, path]);
  const more = uncovered.length - rows.length;
  return [...output.table(rows), ...(more > 0 ? [output.style("dim", `  and ${more} more: --json names all`)] : [])];
}

const WHY: Readonly<Record<string, string>> = {
  ignored: "ignored",
  cache: "cache",
  excluded: "excluded",
  "too-large": "too large",
  unreadable: "unreadable",
  special: "not a file",
  "reserved-name": "git's own",
};
