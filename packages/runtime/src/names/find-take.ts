import { liveTakes, type Refusal, type State, type Take, takeById } from "@retake/core";
import { notFound } from "./not-found.ts";

/** A take that is not deleted, by its name or its id. */
export function findTake(state: State, name: string): Take | Refusal {
  const live = liveTakes(state);
  // No two live takes have one name [T2]; an id may be the name of another take, which then is meant.
  const found = live.find((take) => take.name === name) ?? live.find(({ id }) => id === name);
  if (found) return found;
  const gone = takeById(state, name)?.deleted === true;
  return notFound(
    "take",
    name,
    gone ? "any more: it is deleted" : "in this thread",
    live.map((take) => take.name).slice(0, MOST_NEAR),
  );
}

const MOST_NEAR = 8;
