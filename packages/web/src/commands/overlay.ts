import { Store } from "../data/store.ts";

/** The overlay of the page: at most one. */
export const overlay = new Store<"palette" | "keys" | "find" | undefined>(undefined);
