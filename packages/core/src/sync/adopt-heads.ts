import type { History } from "../history/history.ts";
import { relate } from "../history/merge-ancestors.ts";
import type { OperationId } from "../session/operation.ts";
import type { ServerHead } from "./sync-values.ts";

/**
 * Decides which of the server's heads a thread moves forward to after a pull: the first that follows all that the thread
 * has here. Undefined: it stays, because it has them all, or because both sides have gone on. All heads must be stored.
 */
export function headToAdopt(
  history: Pick<History, "operation">,
  ours: OperationId | null,
  heads: readonly ServerHead[],
): OperationId | undefined {
  if (ours === null) return heads[0]?.operation;
  return heads.find(({ operation }) => relate(history, ours, operation).kind === "ahead")?.operation;
}
