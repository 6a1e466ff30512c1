import { liveTakes, type State, type Take } from "@retake/core";
import { wrongUsage } from "./command.ts";
import { onlyOne } from "./only-one.ts";

/** A take by its name, its id, or the beginning of its id. */
export function findTake(state: State, name: string | undefined): Take {
  if (name === undefined) throw wrongUsage("Name a take. retake takes lists them.");
  return onlyOne(TAKE, name, takesNamed(state, name), ({ id }) => id);
}

/** The takes that a name could mean: the one that is called so, or those whose ids begin so. */
export function takesNamed(state: State, name: string): Take[] {
  const live = liveTakes(state);
  const called = live.filter((take) => take.name === name);
  return called.length > 0 ? called : live.filter(({ id }) => name !== "" && id.startsWith(name));
}

const TAKE = { one: "a take", noun: "take", many: "takes", list: "retake takes" };
