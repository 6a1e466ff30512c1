import * as all from "./all.ts";
import { withNames } from "./shared/names.ts";

/** Every action, by the name of its route. It takes the names of things as it takes their ids. */
export const actions = withNames({ ...all });
export type { Action, ActionAnswer, ActionCall, ActionInput } from "./action.ts";
export { HOOK } from "./shared/hook-actor.ts";
export { idsOf, threadNamed } from "./shared/names.ts";
export { threadFor } from "./shared/thread-for.ts";
