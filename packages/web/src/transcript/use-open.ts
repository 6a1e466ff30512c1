import { useCallback } from "react";
import { Store, useStore } from "../data/store.ts";

const opened = new Store<ReadonlyMap<string, boolean>>(new Map());

/** Whether a part of a row is open. It stays so when the row is scrolled away, and is drawn anew later. */
export function useOpen(part: string, initially: boolean): readonly [boolean, (open: boolean) => void] {
  const open = useStore(opened, (parts) => parts.get(part)) ?? initially;
  const set = useCallback((value: boolean) => opened.update((parts) => new Map(parts).set(part, value)), [part]);
  return [open, set];
}
