/** For programs of this user that look for the running server: what it takes to reach it, and nothing that serves. */
export { readToken } from "./access/token-file.ts";
export { findServer, type ServerFile } from "./server-file.ts";
export { socketFetch } from "./socket-fetch.ts";
export { surroundingsOf } from "./surroundings.ts";
