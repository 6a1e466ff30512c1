import { changeThread, type Operation, type Refusal, refuse, type ThreadFacts } from "@retake/core";
import type { ChangeOptions } from "../store/open-store.ts";
import type { Workspace } from "../workspace/open-workspace.ts";

/** Changes facts of a thread. D5: a title that another thread of the workspace has is refused. */
export function changeThreadFacts(
  workspace: Workspace,
  thread: string,
  facts: Partial<Omit<ThreadFacts, "deleted">> & { readonly deleted?: false },
  options: ChangeOptions = {},
): Operation | Refusal {
  return workspace.store.change(
    thread,
    (state, context) => {
      // Checked in the transaction that renames: no two processes can both take a name.
      const taken = workspace.threads().some(({ id, title }) => title === facts.title && id !== thread);
      if (taken) return refuse("already-exists", `There is a thread ${facts.title} already. Nothing was changed.`);
      return changeThread(state, context, { facts });
    },
    options,
  );
}
