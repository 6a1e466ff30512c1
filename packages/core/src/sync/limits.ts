/** The version of the protocol. A request names it; a server that knows only older ones answers 426. */
export const SYNC_VERSION = 1;

const MIB = 1024 * 1024;

/** Limits that both sides check, so that neither needs much memory for the other. */
export const SYNC_LIMITS = {
  segment_operations: 200,
  /** Of an encrypted segment. The text of one operation may have 16 MiB, so it must fit in one. */
  segment_bytes: 32 * MIB,
  operation_parents: 16,
  segment_blobs: 50_000,
  /** Of an encrypted blob. A larger file is sent as several blobs of at most `blob_content_bytes` each. */
  blob_bytes: 5 * MIB,
  blob_content_bytes: 4 * MIB,
  pack_bytes: 8 * MIB,
  pack_blobs: 4096,
  check_names: 4096,
  changes_page: 500,
  /** A pull answers with whole segments until they have this many bytes, and always with one. */
  pull_bytes: 4 * MIB,
  /** The longest time that a server holds back an answer that says "nothing new", in seconds. */
  wait_seconds: 25,
  /** A device has one request under way for each thread, and each answer may name a change. */
  seen: 100,
  /** A device that was switched off during more changes of the vault key has to be linked again. */
  key_changes: 100,
  share_bytes: 16 * MIB,
  threads: 100_000,
  devices: 1000,
} as const;
