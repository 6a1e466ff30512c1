import { Store } from "../data/store.ts";

/** The overlay of the page: at most one. */
export const overlay = new Store<Overlay | undefined>(undefined);

type Overlay = "palette" | "keys" | "find";

/** Opens an overlay by a key: the next key is meant for it. */
export function openOverlay(name: Overlay): void {
  overlay.set(name);
  overlay.flush();
  // The bar may be open while the focus is elsewhere.
  if (name === "find") focusFindBar();
}

export function focusFindBar(): void {
  const field = document.querySelector<HTMLInputElement>(".find-bar input");
  field?.focus();
  field?.select();
}
