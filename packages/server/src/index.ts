export { type RunningServer, type ServerOptions, type Started, startServer } from "./start-server.ts";
