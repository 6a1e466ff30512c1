export { inviteTo, type RunningSyncServer, type SyncServerOptions, startSyncServer } from "./start-sync-server.ts";
