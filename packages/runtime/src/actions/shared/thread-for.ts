import { ActionError } from "../../host/action-error.ts";
import type { Runtime } from "../../host/runtime.ts";
import { threadNamed } from "./names.ts";

/** The thread that is named, or the one that the server's directory stands at. */
export async function threadFor(runtime: Runtime, root: string, named: string | undefined): Promise<string> {
  const found = named === undefined ? runtime.current(root) : runtime.thread(threadNamed({ runtime, root }, named));
  if (!found) throw new ActionError("not-found", `There is no thread in ${root} yet. Make one: POST /v1/threads`);
  await runtime.settled(found.id);
  return found.id;
}
