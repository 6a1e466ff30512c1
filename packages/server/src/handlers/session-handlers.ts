import { isRefusal } from "@retake/core";
import { listSessions, resumeSession, saveSession, sessionById, takenBackOutcome } from "@retake/runtime";
import { listed } from "./entry-handlers.ts";
import { answer, type Handlers } from "./handler.ts";
import { cursorOf, pageOf } from "./page.ts";

/** P1: named saves. */
export const sessionHandlers: Handlers<"listSessions" | "saveSession" | "getSession" | "resumeSession"> = {
  listSessions({ host, query }) {
    const all = listSessions(host.home).filter(({ thread_id }) => (query.thread ?? thread_id) === thread_id);
    const page = pageOf(all, ({ id }) => id, query);
    return answer({ sessions: page.items.map((session) => ({ ...session })), ...cursorOf(page) });
  },

  saveSession({ host, body }) {
    const { thread_id, session_id, title } = body;
    host.thread(thread_id);
    const done = saveSession(host.home, {
      thread_id,
      ...(session_id === undefined ? {} : { session_id }),
      ...(title === undefined ? {} : { title }),
    });
    host.feed.look();
    if (isRefusal(done)) return done;
    const { session, op_id, replaced } = done;
    const version = host.read(thread_id, ({ state }) => state.version);
    return answer({ op_id, version, session: { ...session }, replaced: replaced && { ...replaced } });
  },

  getSession({ host, params }) {
    const session = sessionById(host.home, params.id);
    if (isRefusal(session)) return session;
    const entries = host.read(session.thread_id, ({ stateAt }) => listed(stateAt(session.op_id), session.take));
    return answer({ ...session, entries });
  },

  async resumeSession({ host, params }) {
    const session = sessionById(host.home, params.id);
    if (isRefusal(session)) return session;
    const { thread_id } = session;
    const outcome = await host.work(thread_id, async (retake) => {
      const done = await resumeSession(retake, params.id);
      return takenBackOutcome(retake, thread_id, done.kind === "resumed" ? (done.jumped ?? undefined) : done);
    });
    return outcome.kind === "answer" ? answer({ ...outcome.answer, session: { ...session } }) : outcome;
  },
};
