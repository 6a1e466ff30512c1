import type { Hint } from "../../screens/hint-line.ts";
import type { Effect } from "../effect.ts";
import type { Detail, ListItem, ListPlace, Model } from "../model.ts";
import type { Step } from "../step.ts";

/** A place with a list and what the chosen item shows beside it. One file each. */
export interface ListDefinition {
  title(about: ListPlace["about"]): string;
  /** Asks for the items; the thread is there. */
  load(model: Model, thread: string, about: ListPlace["about"]): Effect;
  items(answer: unknown, model: Model, about: ListPlace["about"]): readonly ListItem[];
  /** Asks for what is shown of an item; undefined where the item has it. */
  detail?(model: Model, thread: string, item: ListItem, about: ListPlace["about"]): Effect | undefined;
  detailOf?(answer: unknown, item: ListItem): Omit<Detail, "key">;
  /** Begins with the last item instead of the first. */
  readonly fromEnd?: true;
  readonly empty: string;
  readonly hints: readonly Hint[];
  /** The effect of a key on the chosen item; undefined where it has none. */
  key(model: Model, thread: string, place: ListPlace, item: ListItem | undefined, key: string): Step | undefined;
}
