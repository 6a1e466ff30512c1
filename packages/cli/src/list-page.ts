import { type Call, countFrom, type Options, textOption } from "./command.ts";

export const PAGE_OPTIONS = {
  limit: { type: "string", value: "N", about: "how many are shown at most; otherwise all" },
  cursor: { type: "string", value: "cursor", about: "go on after the page that --json answered with this cursor" },
} as const satisfies Options;

/** A list comes whole unless `--limit` is given; `--cursor` goes on where the page before ended. */
export function pageQuery(call: Call) {
  const limit = textOption(call, "limit");
  return { limit: limit === undefined ? undefined : countFrom(limit, 1), cursor: textOption(call, "cursor") };
}

export function moreLine({ output }: Call, { cursor }: { readonly cursor?: string | undefined }): string[] {
  return cursor === undefined ? [] : [output.style("dim", "  There is more; a larger --limit shows it")];
}
