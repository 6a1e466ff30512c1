import { type OperationId, type Refusal, refuse } from "@retake/core";
import type { Store } from "../store/open-store.ts";

/** The operation that a point of a thread is named by: its id. */
export function resolvePoint(store: Store, thread: string, point: string): OperationId | Refusal {
  if (store.hasOperation(thread, point)) return point;
  return refuse("not-found", `There is no point ${point.slice(0, 100)} in this thread.`);
}
