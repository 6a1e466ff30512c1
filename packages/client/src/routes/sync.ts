import { z } from "zod";
import { route } from "../route.ts";
import { changed, withFiles } from "../wire/common.ts";
import { sharedThread, syncDevice, syncLogin, syncStatus } from "../wire/sync.ts";
import { takenBack } from "../wire/taken-back.ts";

const where = { url: z.string().max(2000), name: z.string().min(1).max(100).optional() };
const done = z.object({});

export const syncRoutes = {
  getSync: route("GET", "/v1/sync", {
    summary: "The state of sync: what waits to be sent, since when it fails and why, and the next try",
    answer: syncStatus,
  }),
  syncNow: route("POST", "/v1/sync/now", {
    summary: "Syncs everything now and answers when nothing is left to do, or when something fails",
    body: z.strictObject({}),
    answer: syncStatus,
  }),
  loginSync: route("POST", "/v1/sync/login", {
    summary: "Makes a vault with an invitation, or asks a device of a vault to link this machine",
    body: z.strictObject({ ...where, invitation: z.string().max(200).optional() }),
    answer: syncLogin,
  }),
  followSyncLogin: route("POST", "/v1/sync/login/follow", {
    summary: "Whether a device has linked this machine; then it syncs",
    body: z.strictObject({}),
    answer: z.object({ state: z.enum(["waiting", "joined", "denied"]) }),
  }),
  recoverSync: route("POST", "/v1/sync/recover", {
    summary: "Joins a vault with its 24 recovery words",
    body: z.strictObject({ ...where, words: z.string().max(1000) }),
    answer: done,
  }),
  logoutSync: route("POST", "/v1/sync/logout", {
    summary: "Leaves the vault: its key goes from this machine, and the threads stay here and on the server",
    body: z.strictObject({}),
    answer: z.object({
      /** False: the server could not be told, and lists this machine until another device revokes it. */
      told: z.boolean(),
    }),
  }),
  listSyncDevices: route("GET", "/v1/sync/devices", {
    summary: "The devices of the vault",
    answer: z.object({ devices: z.array(syncDevice) }),
  }),
  linkSyncDevice: route("POST", "/v1/sync/devices", {
    summary: "Links the device that shows this code and these six words: it gets the key of the vault",
    body: z.strictObject({ code: z.string().max(32), words: z.array(z.string().max(20)).length(6) }),
    answer: z.object({ name: z.string() }),
  }),
  revokeSyncDevice: route("DELETE", "/v1/sync/devices/{device}", {
    summary: "Revokes a device at once; what it has stays on it",
    answer: done,
  }),
  rotateSyncKey: route("POST", "/v1/sync/key", {
    summary: "Gives the vault a new key and new recovery words; the other devices get it by themselves",
    body: z.strictObject({}),
    answer: z.object({ words: z.string() }),
  }),
  getSyncAccount: route("GET", "/v1/sync/account", {
    summary: "What the server has of the vault of this machine",
    answer: z.object({
      url: z.string(),
      vault: z.string(),
      /** The threads of the vault that this machine knows of. */
      threads: z.number().int(),
      devices: z.number().int(),
      used_bytes: z.number().int(),
      quota_bytes: z.number().int(),
    }),
  }),
  deleteSyncAccount: route("DELETE", "/v1/sync/account", {
    summary:
      "Deletes everything of the vault from the server, for good and for all its devices; their threads stay on them",
    answer: done,
  }),
  bringFiles: route("POST", "/v1/threads/{id}/bring-files", {
    summary: "Writes files here that other machines have changed, merged with the user's changes; undo takes it back",
    body: z.strictObject({ ...withFiles }),
    answer: takenBack,
  }),
  keepFiles: route("POST", "/v1/threads/{id}/keep-files", {
    summary: "Goes on with the files of this machine, although other machines have changed some",
    body: z.strictObject({}),
    answer: z.object(changed),
  }),
  removeFromSync: route("DELETE", "/v1/threads/{id}/sync", {
    summary: "Removes a thread from the server, for all devices and for good; it stays on each that has it",
    answer: z.object({
      /** The server deletes its copy after so many days; nobody gets it from there meanwhile. */
      retention_days: z.number().int(),
    }),
  }),
  shareThread: route("POST", "/v1/threads/{id}/share", {
    summary:
      "Shares the conversation as it is now, by a link whose key no server sees, or with those who run the server",
    body: z.strictObject({ readers: sharedThread.shape.readers.optional() }),
    answer: z.object({ share: sharedThread }),
  }),
  unshareThread: route("DELETE", "/v1/threads/{id}/share", {
    summary: "Ends all shares of a thread: the server deletes the copies, and the links show nothing any more",
    answer: z.object({ ended: z.number().int() }),
  }),
  listShares: route("GET", "/v1/sync/shares", {
    summary: "The shared threads of the vault, with their links",
    answer: z.object({ shares: z.array(sharedThread) }),
  }),
};
