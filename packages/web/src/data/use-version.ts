import { useEffect, useState } from "react";
import type { Session } from "./session.ts";

/** While an answer streams in, the thread changes many times in a second. */
const APART_MS = 500;

/**
 * The version of the thread, for parts of the screen that ask the server again after a change: the first change counts at
 * once, those that follow it quickly count together.
 */
export function useVersion({ store }: Session): number | undefined {
  const [version, setVersion] = useState(store.value.view?.state.version);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last = -APART_MS;
    const look = () => {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          last = performance.now();
          setVersion(store.value.view?.state.version);
        },
        Math.max(0, last + APART_MS - performance.now()),
      );
    };
    look();
    const end = store.subscribe(look);
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [store]);
  return version;
}
