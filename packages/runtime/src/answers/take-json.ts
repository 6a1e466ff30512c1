import { activeTake, baseName, entryCount, type State, type Take } from "@retake/core";

/** A take as other programs are told of it; `base_name` is what it is grouped under (D3). */
export function takeJson(state: State, { id, name }: Take) {
  return {
    id,
    name,
    base_name: baseName(name),
    active: id === activeTake(state),
    entries: entryCount(state, id),
  };
}
