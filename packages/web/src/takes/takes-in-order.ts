import { baseName, liveTakes, type State, type Take } from "@retake/core";

/** The takes as the tabs show them: those of one base name together, the older first. */
export function takesInOrder(state: State): Take[] {
  return liveTakes(state).toSorted((a, b) => baseName(a.name).localeCompare(baseName(b.name)) || a.since - b.since);
}
