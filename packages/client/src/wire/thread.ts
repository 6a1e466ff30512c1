import { z } from "zod";
import { changed, jsonObject, time } from "./common.ts";
import { captureReceipt } from "./receipt.ts";
import { syncSummary } from "./sync.ts";
import { take } from "./take.ts";

const listed = {
  id: z.string(),
  title: z.string(),
  version: z.number().int(),
  workspace_root: z.string(),
  /** Whether commands act on it unless they name another. */
  active: z.boolean(),
  created_at: time,
  updated_at: time,
};

export const threadListed = z.looseObject(listed);

/** An entry that contains the words of a search, and the first of them with the text around it. */
export const entryMatch = z.object({
  id: z.string(),
  name: z.string(),
  /** Sorts as the entries of the take do; a window's keys are of the same kind. */
  order: z.string(),
  role: z.string(),
  ts: time,
  turn_id: z.string().optional(),
  snippet: z.string(),
  highlights: z.array(z.object({ start: z.number().int(), end: z.number().int() })),
});

/** L11: a thread that fits a search, with the entries that do, the best of them first. */
export const threadFound = z.looseObject({
  ...listed,
  tags: z.array(z.string()),
  /** At most 100; with `more_matches` there are more. */
  match_count: z.number().int(),
  more_matches: z.boolean(),
  matches: z.array(
    z.object({
      entry_id: z.string(),
      take: z.string(),
      role: z.string(),
      ts: time,
      snippet: z.string(),
      /** Where the words stand in the snippet. */
      highlights: z.array(z.object({ start: z.number().int(), end: z.number().int() })),
    }),
  ),
});

/** A thread with all that is known of it (L3); its entries have a route of their own. */
export const thread = z.looseObject({
  ...listed,
  head: z.string().nullable(),
  take: z.string(),
  tags: z.array(z.string()),
  pinned: z.boolean(),
  visibility: z.enum(["organization", "private", "public"]),
  private: z.boolean(),
  shared_with_support: z.boolean(),
  deleted: z.boolean(),
  cwd: z.string(),
  retake_version: z.string(),
  entries: z.number().int(),
  /** The model that its turns are for, as `provider/model`: the one that is set, or else the last turn's. */
  model: z.string().nullable(),
  provider: z.string().nullable(),
  /** D2: the last noted git commit, and the last request. */
  git_commit: z.string().nullable(),
  last_updated: time,
  context_snapshot: z.array(jsonObject),
  sent_markdown: z.string(),
  sent_system_prompt: z.string(),
  /** Null when it waits for input. The calls are those that have not ended. */
  agent: z
    .object({
      state: z.string(),
      turn_id: z.string(),
      tool_calls: z.array(
        z.object({ call_id: z.string(), name: z.string(), entry_id: z.string(), status: z.string() }),
      ),
    })
    .nullable(),
  git: jsonObject.nullable(),
  can_undo: z.boolean(),
  can_redo: z.boolean(),
});

/** P7: enough of a thread for a list that a user chooses from. */
export const threadSummary = z.looseObject({
  ...listed,
  take: z.string(),
  takes: z.number().int(),
  entries: z.number().int(),
  /** The number of turns begun in any take, including undone ones. */
  turns: z.number().int(),
  /** The beginning of the last prompt. */
  preview: z.string(),
  /** The turn that runs now. */
  running_turn: z.string().nullable(),
  tags: z.array(z.string()),
  pinned: z.boolean(),
  /** The last noted git state of its directory; null where git gives none. */
  head: z.string().nullable(),
  branch: z.string().nullable(),
  dirty: z.boolean().nullable(),
});

export const threadFacts = z.strictObject({
  title: z.string().optional(),
  tags: z.array(z.string()).optional(),
  pinned: z.boolean().optional(),
  /** Brings a deleted thread back. */
  deleted: z.literal(false).optional(),
});

export const threadMade = z.object({ ...changed, thread });

export const workspaceStatus = z.looseObject({
  workspace_root: z.string(),
  /** The thread that commands act on here; null when there is none. */
  thread: threadListed.nullable(),
  threads: z.number().int(),
  /** P7: null where there is no repository. */
  git: z
    .looseObject({
      head: z.string().nullable(),
      branch: z.string().nullable(),
      dirty: z.boolean().nullable(),
    })
    .nullable(),
  take: take.nullable(),
  agent: z.object({ state: z.enum(["idle", "running", "interrupted"]), turn_id: z.string().nullable() }),
  model: z.string(),
  can_undo: z.boolean(),
  can_redo: z.boolean(),
  /** Descriptions of the next undo and the next redo; null where there is none. */
  next_undo: z.string().nullable(),
  next_redo: z.string().nullable(),
  /** The beginning of the next prompt. */
  draft: z.string(),
  /** The prompts that wait in a process, and those whose process ended before they began. */
  queue: z.array(
    z.object({ id: z.string(), prompt: z.string(), model: z.string(), status: z.enum(["queued", "paused"]) }),
  ),
  approvals: z.object({ mode: z.enum(["undoable", "ask", "all"]), confinement: z.string() }),
  /** The files of instructions that the model is given, `AGENTS.md` for example. */
  instructions: z.array(z.looseObject({ name: z.string(), bytes: z.number().int() })),
  sync: syncSummary,
  /** The server that runs for this user; null where none does. */
  server: z.object({ url: z.string(), pid: z.number().int() }).nullable(),
  store: z.object({ directory: z.string(), bytes: z.number().int() }),
  /** The coverage of the last capture, with the reasons for the paths it left out; null before the first. */
  coverage: captureReceipt.extend({ captured_at: time }).nullable(),
});
