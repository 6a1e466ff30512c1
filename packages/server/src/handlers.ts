import { actions } from "@retake/runtime/actions";
import type { Handlers } from "./handlers/handler.ts";
import { runAction } from "./handlers/run-action.ts";
import { serverHandlers } from "./handlers/server-handlers.ts";

const named = { ...serverHandlers, ...actions };

/** The handler of each route: its action. A route without one, or an action without a route, does not compile. */
export const handlers: Handlers = { ...named, runAction: runAction(named) };
