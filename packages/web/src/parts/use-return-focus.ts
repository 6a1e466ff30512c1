import { useLayoutEffect } from "react";

/** While `open`, the focus may be in a part that goes away. Gives it back to where it was, or else to the conversation. */
export function useReturnFocus(open = true): void {
  // Before the effects of the parts inside, which take the focus.
  useLayoutEffect(() => {
    if (!open) return;
    const before = document.activeElement;
    return () => {
      // After the part is gone: a focus that someone has set meanwhile stays.
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        const back =
          before instanceof HTMLElement && before.isConnected && before !== document.body ? before : undefined;
        (back ?? document.querySelector<HTMLElement>(".transcript"))?.focus();
      });
    };
  }, [open]);
}
