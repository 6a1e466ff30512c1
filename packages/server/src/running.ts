/** For programs of this user beside the server, or in its place: enough to reach it, without the server's own code. */
export { readToken } from "./access/token-file.ts";
export { isLoopback } from "./is-loopback.ts";
export { findServer, type ServerFile } from "./server-file.ts";
export { socketFetch } from "./socket-fetch.ts";
export { surroundingsOf } from "./surroundings.ts";
