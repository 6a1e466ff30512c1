import { realpathSync } from "node:fs";
import { HostError, readGitContext, threadJson } from "@retake/runtime";
import { describeApi } from "../describe-api.ts";
import { eventResponse } from "../event-response.ts";
import { answer, type Handlers } from "./handler.ts";

export const serverHandlers: Handlers<
  "health" | "describeApi" | "getWorkspaceStatus" | "createLogin" | "followEvents"
> = {
  health: () => answer({ status: "ok" as const }),

  describeApi: ({ host }) => answer(describeApi(host.version)),

  async getWorkspaceStatus({ host, root, query }) {
    const directory = existing(query.workspace ?? root);
    const threads = host.threads(directory);
    const current = host.current(directory);
    return answer({
      workspace_root: directory,
      thread: current ? threadJson(current, current.id) : null,
      threads: threads.length,
      git: (await readGitContext(directory)) ?? null,
    });
  },

  createLogin({ logins }) {
    const { code, expires_at } = logins.createCode();
    return answer({ path: `/login?code=${code}`, expires_at });
  },

  followEvents: (asked) => eventResponse(asked),
};

function existing(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw new HostError("workspace-missing", `The directory ${path} is not there.`, { cause });
  }
}
