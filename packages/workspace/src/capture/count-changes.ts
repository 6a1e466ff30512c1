import type { BytePath, Change, Uncovered } from "../model/model.ts";

/** Passes changes on, and counts them. Does not subtract the earlier state of an `uncounted` path. */
export function* counted(
  changes: Iterable<Change>,
  totals: { files: number; bytes: number },
  uncovered: Map<BytePath, Uncovered["reason"]>,
  uncounted: ReadonlySet<BytePath>,
): Iterable<Change> {
  for (const change of changes) {
    const { path, after } = change;
    count(totals, uncovered, uncounted.has(path) ? { path, ...(after && { after }) } : change);
    yield change;
  }
}

function count(
  totals: { files: number; bytes: number },
  uncovered: Map<BytePath, Uncovered["reason"]>,
  { path, before, after }: Change,
): void {
  for (const [state, sign] of [[before, -1] as const, [after, 1] as const]) {
    if (!state || state.kind === "directory") continue;
    if (state.kind === "uncovered") {
      if (state.inherited) continue;
      if (sign > 0) uncovered.set(path, state.reason);
      else uncovered.delete(path);
      continue;
    }
    // Another process may have counted a claimed path that this one takes away.
    totals.files = Math.max(0, totals.files + sign);
    totals.bytes = Math.max(0, totals.bytes + sign * state.size);
  }
}
