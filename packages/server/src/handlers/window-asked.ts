import type { WindowRequest } from "@retake/core";

interface WindowQuery {
  readonly entries?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly groups?: string | undefined;
  readonly more_before?: number | undefined;
  readonly more_after?: number | undefined;
}

/** The window that a query asks for; undefined where it asks for the whole. */
export function windowAsked({ entries, from, to, groups, ...more }: WindowQuery): WindowRequest | undefined {
  if (entries === undefined) return undefined;
  if (entries === "range")
    return {
      ...{ from: from ?? null, to: to ?? null, groups: groups ?? null },
      ...{ more_before: more.more_before ?? 0, more_after: more.more_after ?? 0 },
    };
  const [kind, ...rest] = entries.split(":");
  const count = Math.max(1, Number(rest.at(-1)));
  const [entry = ""] = rest;
  return kind === "last" ? { last: count } : kind === "before" ? { before: entry, count } : { after: entry, count };
}
