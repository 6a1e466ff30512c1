/** The keys of this browser: those of the shared map, and the user's own in their place (S5). */
import {
  type Action,
  chosenKeys,
  type KeyBinding,
  type KeyChoices,
  NO_CHOICES,
  whyNotBound,
} from "@retake/client/screen";
import { keep } from "./browser-storage.ts";
import { Store, useStore } from "./store.ts";

const PLACE = "retake-keys";

interface Keys {
  readonly choices: KeyChoices;
  readonly map: readonly KeyBinding[];
}

export const keyStore = new Store<Keys>(keysOf(readChoices()));

/** Gives an action another key. Answers why not, where that is so. */
export function rebind(action: Action, key: string): string | undefined {
  const { choices, map } = keyStore.value;
  const refusal = whyNotBound(map, action, key);
  if (refusal === undefined) choose({ ...choices, keys: { ...choices.keys, [action]: [key] } });
  return refusal;
}

export function switchLetters(letters: boolean): void {
  choose({ ...keyStore.value.choices, letters });
}

/** Back to the keys of the map. */
export function forgetChoices(): void {
  choose(NO_CHOICES);
}

/** A key as people read it: `Ctrl+J`, `↓`. */
export function shownKey(key: string): string {
  return key
    .replace("Arrow", "")
    .replace("Down", "↓")
    .replace("Up", "↑")
    .replace("Left", "←")
    .replace("Right", "→")
    .replace(/^ $/, "Space");
}

/** The first key of an action, as people read it; undefined where it has none. */
export function useKeyOf(action: Action | undefined): string | undefined {
  const key = useStore(keyStore, ({ map }) => map.find((each) => each.action === action)?.keys[0]);
  return key === undefined ? undefined : shownKey(key);
}

/** A title that names its key: `Inspector (Ctrl+J)`. */
export function useTitle(text: string, action: Action): string {
  const key = useKeyOf(action);
  return key === undefined ? text : `${text} (${key})`;
}

function choose(choices: KeyChoices): void {
  keep(localStorage, PLACE, JSON.stringify(choices));
  keyStore.set(keysOf(choices));
}

function keysOf(choices: KeyChoices): Keys {
  return { choices, map: chosenKeys(choices) };
}

function readChoices(): KeyChoices {
  try {
    return { ...NO_CHOICES, ...(JSON.parse(localStorage.getItem(PLACE) ?? "{}") as Partial<KeyChoices>) };
  } catch {
    return NO_CHOICES;
  }
}
