import { type OperationId, type Refusal, refuse } from "@retake/core";
import type { Retake } from "../open-retake.ts";

/** The operation that a point of a thread is named by: its id. */
export function resolvePoint(retake: Retake, thread: string, point: string): OperationId | Refusal {
  if (retake.hasOperation(thread, point)) return point;
  return refuse("not-found", `There is no point ${point.slice(0, 100)} in this thread.`);
}
