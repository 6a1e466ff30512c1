import type { ReceiptEffect } from "@retake/core";
import { entryNames } from "../names/name-things.ts";
import type { Store } from "../store/open-store.ts";

/** The lasting effects of calls, each with the name of its call. */
export function namedEffects<Effect extends ReceiptEffect>(
  store: Store,
  thread: string,
  effects: readonly Effect[],
): (Effect & { readonly name?: string })[] {
  if (effects.length === 0) return [];
  return store.names(thread, (scope) => {
    const nameOf = entryNames(scope);
    return effects.map((effect) => (effect.entry === undefined ? effect : { ...effect, name: nameOf(effect.entry) }));
  });
}
