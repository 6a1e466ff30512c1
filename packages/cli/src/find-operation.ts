import { type Call, wrongUsage } from "./command.ts";
import { onlyOne } from "./only-one.ts";

/** The id of an operation of the thread, of which the beginning may be given. */
export function findOperation(call: Call, name: string | undefined): string {
  if (name === undefined) throw wrongUsage("Name an operation by its id. retake history lists them.");
  return onlyOne(OPERATION, name, call.workspace.store.operationIds(call.thread, name), (id) => id);
}

const OPERATION = { one: "an operation", noun: "operation", many: "operations", list: "retake history --all" };
