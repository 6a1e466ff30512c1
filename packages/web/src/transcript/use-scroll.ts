import type { Row } from "@retake/client/screen";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";

const AT_END_PX = 4;
/** A row is reached when nothing has moved it for this long. */
const REACHED_MS = 150;

/** A row that is to be at an edge of the list, with the distance between them. */
interface Place {
  readonly row: string;
  readonly edge: "start" | "end";
  readonly offset: number;
}

/**
 * Brings the list to its end or to a row, and keeps it at the end while the user wants that. Rows are measured after they are
 * shown, code is coloured and pictures load: the list is moved again after each of them, until the user turns elsewhere. The
 * list's own way to scroll would go on until all rows are measured, whatever is asked for meanwhile.
 *
 * A wheel, a key or a touch upwards ends following at once; reaching the end again, or the button, brings it back.
 */
export function useScroll(
  list: RefObject<VirtualizerHandle | null>,
  frame: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  change: unknown,
  whole: boolean,
) {
  const [follows, setFollows] = useState(true);
  const wanted = useRef<"end" | Place | undefined>("end");
  const reached = useRef<ReturnType<typeof setTimeout>>(undefined);
  const touched = useRef(0);
  /** A button is held down. The list stands still until it is released: a press counts only where both meet the same row. */
  const pressed = useRef(false);
  const away = useRef(false);
  const move = useRef(() => {});
  move.current = () => {
    const element = frame.current?.querySelector(".transcript");
    const place = wanted.current;
    if (!element || !list.current || place === undefined || pressed.current) return;
    if (place === "end") {
      if (whole && rows.length > 0) scrollTo(element, element.scrollHeight);
      return;
    }
    const at = rows.findIndex(({ key }) => key === place.row);
    if (at < 0) return;
    const { viewportSize } = list.current;
    const under = place.edge === "start" ? 0 : list.current.getItemSize(at) - viewportSize;
    scrollTo(element, list.current.getItemOffset(at) + under + place.offset);
    clearTimeout(reached.current);
    // Not by time alone: a slow machine has to draw the rows that came, and measure them.
    const forget = () => {
      if (reached.current === timer && wanted.current === place) wanted.current = undefined;
    };
    const timer = setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(forget)), REACHED_MS);
    reached.current = timer;
  };
  const want = useCallback((place: "end" | Place | undefined) => {
    away.current = false;
    wanted.current = place;
    setFollows(place === "end");
    move.current();
  }, []);
  const leave = useCallback(() => want(undefined), [want]);
  const goToRow = useCallback((row: string, offset: number) => want({ row, edge: "start", offset }), [want]);
  /** The same where the list is not on its way already. */
  const keepRow = (row: string, offset: number) => {
    const place = wanted.current;
    const isOnWay = place === "end" || rows.some(({ key }) => key === place?.row);
    if (!isOnWay) goToRow(row, offset);
  };
  /** Moves the list only where the row is not on the screen as a whole. */
  const reveal = (at: number) => {
    const row = rows[at]?.key;
    if (!list.current || row === undefined) return;
    const { scrollOffset, viewportSize } = list.current;
    const top = list.current.getItemOffset(at);
    if (top < scrollOffset) want({ row, edge: "start", offset: 0 });
    else if (top + list.current.getItemSize(at) > scrollOffset + viewportSize) want({ row, edge: "end", offset: 0 });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: after every change of what is shown
  useLayoutEffect(() => move.current(), [rows, change, whole]);
  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    const observer = new ResizeObserver(() => move.current());
    observer.observe(current);
    const content = current.querySelector(".transcript > *");
    if (content) observer.observe(content);
    return () => observer.disconnect();
  }, [frame]);
  const onScroll = () => {
    if (wanted.current !== undefined) return;
    const { scrollOffset = 0, scrollSize = 0, viewportSize = 0 } = list.current ?? {};
    // While text streams, a scroll to the end may still be told after the user turned away: only one that comes back counts.
    if (scrollSize - scrollOffset - viewportSize > AT_END_PX) away.current = true;
    else if (whole && away.current) want("end");
  };
  /** Takes in an act of the user: any one ends the way to a row, and one that leads upwards ends following. */
  const act = (upwards: boolean) => {
    if (upwards) leave();
    else if (wanted.current !== "end") wanted.current = undefined;
  };
  const press = ({ button, nativeEvent }: React.PointerEvent) => {
    act(isOnScrollbar(nativeEvent));
    if (button !== 0) return;
    pressed.current = true;
    const ended = new AbortController();
    const release = () => {
      ended.abort();
      // After the click, which follows the release.
      requestAnimationFrame(() => {
        pressed.current = false;
        move.current();
      });
    };
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, release, { signal: ended.signal });
  };
  const handlers = {
    onWheel: (event: React.WheelEvent) => act(event.deltaY < 0),
    onTouchStart: (event: React.TouchEvent) => {
      touched.current = event.touches[0]?.clientY ?? 0;
      act(false);
    },
    onTouchMove: (event: React.TouchEvent) => act((event.touches[0]?.clientY ?? 0) > touched.current + 2),
    onKeyDown: (event: React.KeyboardEvent) => act(["PageUp", "Home", "ArrowUp"].includes(event.key)),
    onPointerDown: press,
  };
  return { follows, leave, resume: () => want("end"), goToRow, keepRow, reveal, onScroll, handlers };
}

/**
 * Tells the list where it is. The event of the browser comes with the next frame only. A row that is measured before that would
 * move the list from where it was: near the beginning of the list that is the very beginning, which may be a page away.
 */
export function tellScroll(element: Element | null | undefined): void {
  element?.dispatchEvent(new Event("scroll"));
}

function scrollTo(element: Element, top: number): void {
  const before = element.scrollTop;
  element.scrollTop = top;
  if (element.scrollTop !== before) tellScroll(element);
}

function isOnScrollbar({ target, offsetX }: PointerEvent): boolean {
  return target instanceof Element && target.matches(".transcript") && offsetX >= target.clientWidth;
}
