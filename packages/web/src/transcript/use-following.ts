import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { VListHandle } from "virtua";

const AT_END_PX = 4;

/**
 * Keeps the list at its end while the user wants that. A wheel, a key or a touch upwards ends it at once; reaching the end
 * again, or the button, brings it back.
 */
export function useFollowing(
  list: RefObject<VListHandle | null>,
  frame: RefObject<HTMLElement | null>,
  rows: number,
  change: unknown,
  whole: boolean,
) {
  const [follows, setFollows] = useState(true);
  const wanted = useRef(true);
  const touched = useRef(0);
  const set = useCallback((value: boolean) => {
    wanted.current = value;
    setFollows(value);
  }, []);
  const away = useRef(false);
  const leave = useCallback(() => {
    away.current = false;
    set(false);
  }, [set]);
  const resume = useCallback(() => {
    set(true);
    if (whole) scrollToEnd(frame.current);
  }, [frame, set, whole]);
  const toEnd = useRef(() => {});
  toEnd.current = () => {
    if (wanted.current && whole && rows > 0) scrollToEnd(frame.current);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: after every change of what is shown
  useLayoutEffect(() => toEnd.current(), [rows, change, whole]);
  // Rows are measured after they are shown, code is coloured, pictures load, and windows are resized.
  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    const observer = new ResizeObserver(() => toEnd.current());
    observer.observe(current);
    const content = current.querySelector(".transcript > *");
    if (content) observer.observe(content);
    return () => observer.disconnect();
  }, [frame]);
  const onScroll = () => {
    const { scrollOffset = 0, scrollSize = 0, viewportSize = 0 } = list.current ?? {};
    const atEnd = scrollSize - scrollOffset - viewportSize <= AT_END_PX;
    if (wanted.current) return;
    // While text streams, a scroll to the end may still be told after the user turned away: only one that comes back counts.
    if (!atEnd) away.current = true;
    else if (whole && away.current) set(true);
  };
  const handlers = {
    onWheel: (event: React.WheelEvent) => {
      if (event.deltaY < 0) leave();
    },
    onTouchStart: (event: React.TouchEvent) => {
      touched.current = event.touches[0]?.clientY ?? 0;
    },
    onTouchMove: (event: React.TouchEvent) => {
      if ((event.touches[0]?.clientY ?? 0) > touched.current + 2) leave();
    },
    onKeyDown: (event: React.KeyboardEvent) => {
      if (["PageUp", "Home", "ArrowUp"].includes(event.key)) leave();
    },
  };
  return { follows, leave, resume, onScroll, handlers };
}

/**
 * At once, and not by the list: it goes on scrolling until all rows are measured, which never ends while text streams, and so would
 * pull someone back who has turned away. Rows that are measured later come here again.
 */
function scrollToEnd(frame: HTMLElement | null): void {
  const list = frame?.querySelector(".transcript");
  if (list) list.scrollTop = list.scrollHeight;
}
