import { entryHandlers } from "./handlers/entry-handlers.ts";
import { fileHandlers } from "./handlers/file-handlers.ts";
import type { Handlers } from "./handlers/handler.ts";
import { historyHandlers } from "./handlers/history-handlers.ts";
import { hookHandlers } from "./handlers/hook-handlers.ts";
import { runAction } from "./handlers/run-action.ts";
import { serverHandlers } from "./handlers/server-handlers.ts";
import { sessionHandlers } from "./handlers/session-handlers.ts";
import { snapshotHandlers } from "./handlers/snapshot-handlers.ts";
import { takeHandlers } from "./handlers/take-handlers.ts";
import { threadHandlers } from "./handlers/thread-handlers.ts";
import { turnHandlers } from "./handlers/turn-handlers.ts";

const named = {
  ...serverHandlers,
  ...threadHandlers,
  ...entryHandlers,
  ...turnHandlers,
  ...historyHandlers,
  ...fileHandlers,
  ...takeHandlers,
  ...snapshotHandlers,
  ...sessionHandlers,
  ...hookHandlers,
};

/** What is done for every route. A route without a handler, or a handler without a route, does not compile. */
export const handlers: Handlers = { ...named, runAction: runAction(named) };
