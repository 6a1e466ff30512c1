import { type Call, countFrom, type Options } from "./command.ts";

export const PAGE_OPTIONS = {
  limit: { type: "string", value: "N", about: "how many are shown at most; otherwise all" },
  cursor: { type: "string", value: "cursor", about: "go on after the page that --json answered with this cursor" },
} as const satisfies Options;

/** A list comes whole unless `--limit` is given; `--cursor` goes on where the page before ended. */
export function pageQuery({ options: { limit, cursor } }: Call): { limit?: number; cursor?: string } {
  return {
    ...(typeof limit === "string" ? { limit: countFrom(limit, 1) } : {}),
    ...(typeof cursor === "string" ? { cursor } : {}),
  };
}

export function moreLine({ output }: Call, { cursor }: { readonly cursor?: string | undefined }): string[] {
  return cursor === undefined ? [] : [output.style("dim", "  There is more; a larger --limit shows it")];
}
