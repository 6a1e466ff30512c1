import { entryRoutes } from "./routes/entries.ts";
import { exchangeRoutes } from "./routes/exchange.ts";
import { historyRoutes } from "./routes/history.ts";
import { hookRoutes } from "./routes/hooks.ts";
import { saveRoutes } from "./routes/saves.ts";
import { serverRoutes } from "./routes/server.ts";
import { syncRoutes } from "./routes/sync.ts";
import { takeRoutes } from "./routes/takes.ts";
import { threadRoutes } from "./routes/threads.ts";
import { turnRoutes } from "./routes/turns.ts";

/** Every route there is, by the name that the client calls it by. */
export const routes = {
  ...serverRoutes,
  ...threadRoutes,
  ...exchangeRoutes,
  ...entryRoutes,
  ...turnRoutes,
  ...historyRoutes,
  ...takeRoutes,
  ...saveRoutes,
  ...hookRoutes,
  ...syncRoutes,
};

export type Routes = typeof routes;
export type RouteName = keyof Routes;
