/** For programs of this user that look for the running server: enough to reach it, without the server's own code. */
export { readToken } from "./access/token-file.ts";
export { findServer, type ServerFile } from "./server-file.ts";
export { socketFetch } from "./socket-fetch.ts";
export { surroundingsOf } from "./surroundings.ts";
