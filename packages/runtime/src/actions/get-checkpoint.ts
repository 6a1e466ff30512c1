import { checkpointFormat, cutWindow, encode, isRefusal, type WindowRequest } from "@retake/core";
import { type Action, answer } from "./action.ts";
import { entryNamed, takeNamed } from "./shared/names.ts";
import { readAt } from "./shared/read-at.ts";

export const action: Action<"getCheckpoint"> = ({ runtime, params, query }) => {
  // Read before the state: an operation committed in between is sent again, and none is missed.
  const seq = runtime.feed.cursor();
  const { at, take } = query;
  return readAt(runtime, params.id, at, (state, scope) => {
    const { version } = state;
    const of = takeNamed(state, take);
    const call = windowInput(query, (name) => entryNamed(scope, name, state, of));
    if (!call) return answer({ seq, version, checkpoint: encode(checkpointFormat, state) });
    const cut = cutWindow(state, call, of);
    if (isRefusal(cut)) return cut;
    const { state: held, ...window } = cut;
    return answer({ seq, version, checkpoint: encode(checkpointFormat, held), window });
  });
};

/** The window that a query asks for, in which `idOf` finds entries by their names; undefined where it asks for the whole. */
function windowInput(
  { entries, from, to, groups, ...more }: WindowQuery,
  idOf: (name: string) => string,
): WindowRequest | undefined {
  if (entries === undefined) return undefined;
  if (entries === "range")
    return {
      from: from ?? null,
      to: to ?? null,
      groups: groups ?? null,
      more_before: more.more_before ?? 0,
      more_after: more.more_after ?? 0,
    };
  const [kind, ...rest] = entries.split(":");
  const count = Math.max(1, Number(rest.at(-1)));
  const [entry = ""] = rest;
  if (kind === "last") return { last: count };
  return kind === "before" ? { before: idOf(entry), count } : { after: idOf(entry), count };
}

interface WindowQuery {
  readonly entries?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly groups?: string | undefined;
  readonly more_before?: number | undefined;
  readonly more_after?: number | undefined;
}
