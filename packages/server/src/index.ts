export { readToken } from "./access/token-file.ts";
export { findServer, type ServerFile } from "./server-file.ts";
export { socketFetch } from "./socket-fetch.ts";
export { type RunningServer, type ServerOptions, type Started, startServer } from "./start-server.ts";
export { surroundingsOf } from "./surroundings.ts";
