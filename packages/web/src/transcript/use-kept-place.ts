import type { Row } from "@retake/client/screen";
import { type RefObject, useLayoutEffect, useMemo, useRef } from "react";
import type { VirtualizerHandle } from "virtua";
import { type Anchor, keepPlace } from "./keep-place.ts";
import { tellScroll } from "./use-scroll.ts";

/**
 * Keeps the first row on the screen in its place when rows come or go before it: older ones are read, another client inserts
 * one, or the window moves.
 */
export function useKeptPlace(
  rows: readonly Row[],
  list: RefObject<VirtualizerHandle | null>,
  frame: RefObject<HTMLElement | null>,
  keepRow: (row: string, offset: number) => void,
): { readonly shift: boolean; readonly noteAnchor: () => void } {
  const anchor = useRef<Anchor>(undefined);
  const shown = useRef<readonly string[]>([]);
  const keys = useMemo(() => rows.map(({ key }) => key), [rows]);
  const keeping = useMemo(() => keepPlace(shown.current, keys, anchor.current), [keys]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each change of the rows
  useLayoutEffect(() => {
    shown.current = keys;
    if (keeping.kind === "shift") tellScroll(frame.current?.querySelector(".transcript"));
    else if (keeping.kind === "go") keepRow(keeping.row, keeping.offset);
  }, [keys]);
  const noteAnchor = () => {
    const { scrollOffset = 0 } = list.current ?? {};
    const at = list.current?.findItemIndex(scrollOffset) ?? 0;
    const row = keys[at];
    if (row !== undefined) anchor.current = { row, offset: scrollOffset - (list.current?.getItemOffset(at) ?? 0) };
  };
  return { shift: keeping.kind === "shift", noteAnchor };
}
