import { useSyncExternalStore } from "react";

/** A value that components subscribe to. Changes are told at most once a frame, however many there are. */
export class Store<Value> {
  #value: Value;
  #shown: Value;
  #listeners = new Set<() => void>();
  #waiting = false;

  constructor(value: Value) {
    this.#value = value;
    this.#shown = value;
  }

  /** The newest value, for code that acts; what is on the screen may be one frame older. */
  get value(): Value {
    return this.#value;
  }

  set(value: Value): void {
    if (value === this.#value) return;
    this.#value = value;
    if (this.#waiting) return;
    this.#waiting = true;
    onFrame(() => {
      this.#waiting = false;
      this.flush();
    });
  }

  /** Shows the value before the next key or click instead of in the next frame. */
  flush(): void {
    this.#shown = this.#value;
    for (const listener of this.#listeners) listener();
  }

  update(change: (value: Value) => Value): void {
    this.set(change(this.#value));
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  snapshot = (): Value => this.#shown;
}

/** The store's value, or a part of it that is compared by identity. */
export function useStore<Value>(store: Store<Value>): Value;
export function useStore<Value, Part>(store: Store<Value>, part: (value: Value) => Part): Part;
export function useStore<Value, Part>(store: Store<Value>, part?: (value: Value) => Part): Value | Part {
  return useSyncExternalStore(store.subscribe, () => (part ? part(store.snapshot()) : store.snapshot()));
}

/** Hidden pages have no frames. */
function onFrame(callback: () => void): void {
  if (document.visibilityState === "visible") requestAnimationFrame(callback);
  else setTimeout(callback, 100);
}
