import { isRefusal } from "@retake/core";
import { listSessions, resumeSession, saveSession, sessionById, takenBackOutcome } from "@retake/runtime";
import { listed } from "./entry-handlers.ts";
import { answer, type Handlers } from "./handler.ts";
import { cursorOf, pageOf } from "./page.ts";

/** P1: named saves. */
export const sessionHandlers: Handlers<"listSessions" | "saveSession" | "getSession" | "resumeSession"> = {
  listSessions({ runtime, query }) {
    const all = listSessions(runtime.store).filter(({ thread_id }) => (query.thread ?? thread_id) === thread_id);
    const page = pageOf(all, ({ id }) => id, query);
    return answer({ sessions: page.items.map((session) => ({ ...session })), ...cursorOf(page) });
  },

  saveSession({ runtime, body }) {
    const { thread_id, session_id, title } = body;
    runtime.thread(thread_id);
    const done = saveSession(runtime.store, {
      thread_id,
      ...(session_id === undefined ? {} : { session_id }),
      ...(title === undefined ? {} : { title }),
    });
    runtime.feed.look();
    if (isRefusal(done)) return done;
    const { session, op_id, replaced } = done;
    const version = runtime.read(thread_id, ({ state }) => state.version);
    return answer({ op_id, version, session: { ...session }, replaced: replaced && { ...replaced } });
  },

  getSession({ runtime, params }) {
    const session = sessionById(runtime.store, params.id);
    if (isRefusal(session)) return session;
    const entries = runtime.read(session.thread_id, ({ stateAt }) => listed(stateAt(session.op_id), session.take));
    return answer({ ...session, entries });
  },

  async resumeSession({ runtime, params }) {
    const session = sessionById(runtime.store, params.id);
    if (isRefusal(session)) return session;
    const { thread_id } = session;
    const outcome = await runtime.work(thread_id, async (workspace) => {
      const done = await resumeSession(workspace, params.id);
      return takenBackOutcome(workspace.store, thread_id, done.kind === "resumed" ? (done.jumped ?? undefined) : done);
    });
    return outcome.kind === "answer" ? answer({ ...outcome.answer, session: { ...session } }) : outcome;
  },
};
