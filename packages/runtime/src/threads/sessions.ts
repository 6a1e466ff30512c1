import { idProblem, isRefusal, type OperationId, type Refusal, refuse, saveThread, type TakeId } from "@retake/core";
import { StoreError } from "@retake/workspace";
import type { Store } from "../store/open-store.ts";
import type { SavedPoint } from "../store/thread-catalogue.ts";
import type { TakeBackResult } from "../undo/take-back.ts";
import type { Workspace } from "../workspace/open-workspace.ts";

/**
 * P1: named saves. Everything is saved anyway; a session names a point of a thread to return to. It is a record of its
 * thread, so saving can be undone like any change, and saves of a private thread are private.
 *
 * A name belongs to one thread. Saving under it again in that thread moves it to the current point and reports the old
 * one; in another thread it is refused.
 */
export interface Session {
  readonly id: string;
  readonly thread_id: string;
  readonly op_id: OperationId;
  readonly take: TakeId;
  readonly title: string;
  readonly created_at: string;
}

export type SavedSession =
  | {
      readonly kind: "saved";
      readonly session: Session;
      readonly op_id: OperationId;
      readonly replaced: Session | null;
    }
  | Refusal;

export type ResumedSession =
  /** `jumped` is null when the thread is still at that point. */
  { readonly kind: "resumed"; readonly session: Session; readonly jumped: TakeBackResult | null } | TakeBackResult;

/** Every session of threads that are not deleted, newest first. An unreadable session fails the list. */
export function listSessions(store: Store): Session[] {
  return store
    .savedPoints()
    .filter(({ deleted }) => !deleted)
    .map(readSave)
    .sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0));
}

export function sessionById(store: Store, id: string): Session | Refusal {
  const save = store.savedPoints().find((each) => !each.deleted && each.id === id);
  return save ? readSave(save) : refuse("not-found", `There is no session ${JSON.stringify(id)}. Nothing was changed.`);
}

export function saveSession(
  store: Store,
  input: {
    readonly thread_id: string;
    readonly session_id?: string | undefined;
    readonly title?: string | undefined;
  },
): SavedSession {
  const id = input.session_id ?? store.identity.id();
  const problem = idProblem(id);
  if (problem) return refuse("invalid-input", `The session's name ${problem}. Nothing was saved.`);
  let replaced: Session | null = null;
  const done = store.change(input.thread_id, (state, context) => {
    // Inside the transaction: two saves under one name cannot both find it free.
    const taken = store.savedPoints().find((each) => each.id === id);
    replaced = taken ? readSave(taken) : null;
    if (replaced && replaced.thread_id !== input.thread_id) {
      return refuse(
        "already-exists",
        `${id} is a session of another thread (${replaced.thread_id}). Nothing was saved. Choose another name.`,
      );
    }
    const title = input.title ?? String(state.thread.get("thread")?.["title"] ?? id);
    return saveThread(state, context, { save: id, name: title });
  });
  if (isRefusal(done)) return done;
  const session = sessionById(store, id);
  if (isRefusal(session)) throw new Error("a session that was just saved is not there");
  return { kind: "saved", session, op_id: done.id, replaced };
}

/** Makes its thread the current one and jumps to its point, with the files; one undo goes back. */
export async function resumeSession(workspace: Workspace, id: string): Promise<ResumedSession> {
  const session = sessionById(workspace.store, id);
  if (isRefusal(session)) return session;
  const { thread_id: thread, op_id: operation } = session;
  const root = workspace.store.thread(thread)?.workspace_root;
  if (root !== workspace.root)
    return refuse("not-found", `${id} is a session of ${root}. Nothing was changed; resume it there.`);
  const jumped = isAt(workspace.store, thread, operation)
    ? null
    : await workspace.jump(thread, { operation, take: session.take });
  if (jumped && jumped.kind !== "done") return jumped;
  workspace.store.chooseThread(workspace.root, thread);
  return { kind: "resumed", session, jumped };
}

/** An unreadable save is an error, so that its name is not taken for free and overwritten. */
function readSave({ thread, id, record }: SavedPoint): Session {
  const { operation, take, name, created_at } = (record ?? {}) as Record<string, unknown>;
  const texts = [operation, take, name, created_at];
  if (record?.["id"] !== id || !texts.every((value) => typeof value === "string")) {
    throw new StoreError(
      "unreadable",
      `The session ${id} of ${thread} cannot be read. It was left as it is. Run retake doctor.`,
    );
  }
  const [op_id, takeId, title, at] = texts as [string, string, string, string];
  return { id, thread_id: thread, op_id, take: takeId, title, created_at: at };
}

/** Whether only saves and notes came later. */
function isAt(store: Store, thread: string, operation: OperationId): boolean {
  return store.read(thread, (history) => {
    for (let at = history.state.head; at !== null; ) {
      if (at === operation) return true;
      const { kind, parents } = history.operation(at) ?? {};
      if (kind !== "thread-saved" && kind !== "git-noted") return false;
      at = parents?.[0] ?? null;
    }
    return false;
  });
}
