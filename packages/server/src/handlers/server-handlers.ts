import { workspaceStatus } from "@retake/runtime";
import { describeApi } from "../describe-api.ts";
import { eventResponse } from "../event-response.ts";
import { existingDirectory } from "./existing-directory.ts";
import { answer, type Handlers } from "./handler.ts";

export const serverHandlers: Handlers<
  "health" | "describeApi" | "getWorkspaceStatus" | "createLogin" | "followEvents"
> = {
  health: () => answer({ status: "ok" as const }),

  describeApi: ({ host }) => answer(describeApi(host.version)),

  async getWorkspaceStatus({ host, root, query }) {
    const directory = existingDirectory(query.workspace ?? root);
    return host.inDirectory(directory, async (retake) =>
      answer({ ...(await workspaceStatus(retake, host.current(directory)?.id)) }),
    );
  },

  createLogin({ logins }) {
    const { code, expires_at } = logins.createCode();
    return answer({ path: `/login?code=${code}`, expires_at });
  },

  followEvents: (asked) => eventResponse(asked),
};
