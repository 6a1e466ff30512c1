import { inThread, parseNumberedName, type Refusal, turnName } from "@retake/core";
import type { NameScope, TurnStart } from "../store/name-index.ts";
import { meantBy } from "./name-things.ts";
import { ambiguous, notFound } from "./not-found.ts";

/** A turn by its number, `#7` or `7`, or by its id; also one that was undone or is of another take. */
export function findTurn(scope: NameScope, name: string): TurnStart | Refusal {
  const { thread, history, index } = scope;
  const byId = index.turn(thread, name);
  if (byId) return byId;
  const parsed = parseNumberedName(name);
  if (parsed?.kind !== "turn") return notFound("turn", name, "in this thread");
  const meant = meantBy(scope, parsed.number);
  if (meant) return meant;
  const several = index.numbered(thread, parsed.number);
  if (several.length > 1)
    return ambiguous(
      "turn",
      name,
      several.map(({ id }) => id),
    );
  const last = inThread(history.state, "numbers")?.turns ?? 0;
  return notFound("turn", name, "in this thread", last > 0 ? [turnName(last)] : []);
}
