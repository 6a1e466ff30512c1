import { workspaceStatus } from "@retake/runtime";
import { describeApi } from "../describe-api.ts";
import { eventResponse } from "../event-response.ts";
import { existingDirectory } from "./existing-directory.ts";
import { answer, type Handlers } from "./handler.ts";

export const serverHandlers: Handlers<
  "health" | "describeApi" | "getWorkspaceStatus" | "createLogin" | "followEvents"
> = {
  health: () => answer({ status: "ok" as const }),

  describeApi: ({ runtime }) => answer(describeApi(runtime.store.version)),

  async getWorkspaceStatus({ runtime, root, query }) {
    const directory = existingDirectory(query.workspace ?? root);
    return runtime.inDirectory(directory, async (workspace) =>
      answer({ ...(await workspaceStatus(workspace, runtime.current(directory)?.id)) }),
    );
  },

  createLogin({ logins }) {
    const { code, expires_at } = logins.createCode();
    return answer({ path: `/login?code=${code}`, expires_at });
  },

  followEvents: (asked) => eventResponse(asked),
};
