import { describeApi } from "../describe-api.ts";
import { eventResponse, turnEventResponse } from "../event-response.ts";
import type { Handlers } from "./handler.ts";

/** Routes that exist only over HTTP: they have no action. */
export const serverHandlers: Handlers<"health" | "describeApi" | "createLogin" | "followEvents" | "followTurn"> = {
  health: () => ({ kind: "answer", answer: { status: "ok" as const } }),

  describeApi: ({ runtime }) => ({ kind: "answer", answer: describeApi(runtime.store.version) }),

  createLogin({ logins }) {
    const { code, expires_at } = logins.createCode();
    return { kind: "answer", answer: { path: `/login?code=${code}`, expires_at } };
  },

  followEvents: eventResponse,

  followTurn: turnEventResponse,
};
