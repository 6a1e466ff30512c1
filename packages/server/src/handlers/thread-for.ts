import type { Runtime } from "@retake/runtime";
import { RequestError } from "../request-error.ts";

/** The thread that is named, or the one that the server's directory stands at. */
export function threadFor(runtime: Runtime, root: string, named: string | undefined): string {
  const found = named === undefined ? runtime.current(root) : runtime.thread(named);
  if (!found) throw new RequestError(404, "not-found", `There is no thread in ${root} yet. Make one: POST /v1/threads`);
  return found.id;
}
