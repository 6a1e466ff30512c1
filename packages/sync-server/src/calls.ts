import type { SyncCall } from "@retake/core/sync";
import { checkBlobs, fetchBlobs, putPack } from "./calls/blobs.ts";
import type { Call } from "./calls/call.ts";
import { join, recover } from "./calls/join.ts";
import { answerLink, followLink, readLink, startLink } from "./calls/links.ts";
import { pullSegments, pushSegment } from "./calls/segments.ts";
import { deleteShare, listShares, putShare, readShare } from "./calls/shares.ts";
import { deleteThread, listChanges, registerThread } from "./calls/threads.ts";
import { changeKey, deleteVault, readVault, revokeDevice } from "./calls/vaults.ts";

/** Every call of the protocol: one that is missing does not compile. */
export const CALLS: { readonly [C in SyncCall]: Call<C> } = {
  join,
  recover,
  startLink,
  followLink,
  readLink,
  answerLink,
  readVault,
  deleteVault,
  changeKey,
  revokeDevice,
  listChanges,
  registerThread,
  deleteThread,
  pullSegments,
  pushSegment,
  checkBlobs,
  putPack,
  fetchBlobs,
  putShare,
  listShares,
  deleteShare,
  readShare,
};
