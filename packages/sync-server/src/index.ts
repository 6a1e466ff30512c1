export {
  inviteTo,
  type RunningSyncServer,
  type SupportShare,
  type SyncServerOptions,
  setQuota,
  startSyncServer,
  supportShares,
} from "./start-sync-server.ts";
