import { z } from "zod";

const problem = { code: z.string(), message: z.string() };
const time = z.number().int();

const state = z.enum(["off", "linking", "synced", "pending", "stopped"]);

/** The state of sync in short: why it is not done, and how many operations the server has not confirmed. */
export const syncSummary = z.object({ state, pending: z.number().int(), problem: z.string().optional() });

/** The state of sync. Times are milliseconds since 1970. */
export const syncStatus = z.object({
  /** `off`: not logged in. `linking`: waits for another device. `stopped`: the user has to do something. */
  state,
  url: z.string().optional(),
  device: z.string().optional(),
  /** How many operations the server has not confirmed. */
  pending: z.number().int(),
  problem: z.object({ ...problem, next_try: time.optional() }).optional(),
  /** The threads that are not synced. */
  threads: z.array(
    z.object({
      thread_id: z.string(),
      title: z.string(),
      pending: z.number().int(),
      /** The server has operations that are not here. */
      behind: z.boolean(),
      retries: z.number().int(),
      error: z.object(problem).optional(),
      next_try: time.optional(),
      /** When all of it was last on the server; absent: never. */
      synced_at: time.optional(),
      stopped: z.boolean(),
    }),
  ),
  synced_threads: z.number().int(),
  synced_at: time.optional(),
  /** Threads of this machine that were removed from the server, and are not synced any more. */
  removed: z.array(z.object({ thread_id: z.string(), title: z.string() })),
  /** Threads whose workspaces are not on this machine. */
  elsewhere: z.array(z.object({ thread_id: z.string(), title: z.string(), workspace_root: z.string() })),
});

export const syncDevice = z.object({
  device: z.string(),
  name: z.string(),
  added_at: time,
  seen_at: time,
  revoked_at: time.optional(),
  /** It is this machine. */
  own: z.boolean(),
});

/** A thread that readers outside of the vault can read, as it was at that time. */
export const sharedThread = z.object({
  thread_id: z.string(),
  title: z.string(),
  /** `link`: everybody with the link. `support`: those who run the server. */
  readers: z.enum(["link", "support"]),
  shared_at: time,
  link: z.string().optional(),
});

/** `linking`: another device approves with this code and these words. `words` of a new vault are its recovery words. */
export const syncLogin = z.object({
  state: z.enum(["joined", "linking"]),
  words: z.string(),
  code: z.string().optional(),
  expires_at: time.optional(),
});
