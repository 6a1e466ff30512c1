import type { ListName } from "../model.ts";
import { compare } from "./compare.ts";
import { context } from "./context.ts";
import type { ListDefinition } from "./definition.ts";
import { history } from "./history.ts";
import { review } from "./review.ts";
import { search } from "./search.ts";
import { settings } from "./settings.ts";
import { takes } from "./takes.ts";
import { threads } from "./threads.ts";
import { turns } from "./turns.ts";

const DEFINITIONS: Readonly<Record<ListName, ListDefinition>> = {
  ...{ compare, context, history, review, search, settings, takes, threads, turns },
};

export function definitionOf(name: ListName): ListDefinition {
  return DEFINITIONS[name];
}
