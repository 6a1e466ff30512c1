import { Store } from "../data/store.ts";

/** What lies over the page: at most one thing. */
export const overlay = new Store<"palette" | "keys" | "find" | undefined>(undefined);
