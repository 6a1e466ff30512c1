import { type MouseEvent, useRef, useState } from "react";

/**
 * For buttons that begin something: `act` runs one thing at a time. Presses while it runs do nothing, and neither does the
 * second press of a double click, which can meet the button again after the first one is done.
 */
export function useAct(): {
  readonly busy: boolean;
  readonly act: (event: MouseEvent, run: () => Promise<unknown>) => void;
} {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const act = async (event: MouseEvent, run: () => Promise<unknown>) => {
    if (running.current || event.detail > 1) return;
    running.current = true;
    setBusy(true);
    try {
      await run();
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, act: (event, run) => void act(event, run) };
}
