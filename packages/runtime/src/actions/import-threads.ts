import { isRefusal } from "@retake/core";
import { importFile } from "../exchange/exchange.ts";
import { ActionError } from "../host/action-error.ts";
import { type Action, answer } from "./action.ts";
import { existingDirectory } from "./shared/existing-directory.ts";

export const action: Action<"importThreads"> = ({ runtime, root, body }) =>
  runtime.inDirectory(existingDirectory(runtime, body.workspace_root ?? root), async (workspace) => {
    const done = await importFile(workspace, Buffer.from(body.content, body.encoding));
    if (isRefusal(done)) return done;
    if (done.kind === "unreadable") throw new ActionError("invalid-input", done.message);
    const { format, operations, left_out } = done;
    // One that was here already may live in another workspace.
    const threads = done.threads
      .flatMap((id) => runtime.store.thread(id) ?? [])
      .map(({ id, title }) => ({ id, title }));
    return answer({ format, threads, operations, left_out: left_out.map((each) => ({ ...each })) });
  });
