import { join } from "node:path";

/** Where a call's output is kept whole. `outputs`: the directory of all of them. */
export function overflowFile(
  outputs: string,
  { turn_id, step, call_id }: { readonly turn_id: string; readonly step: number; readonly call_id: string },
): string {
  return join(outputs, `${turn_id}-${step}-${call_id.replace(/[^A-Za-z0-9_-]/g, "_")}`);
}

/** The directory of kept outputs. `state`: Retake's own directory for such files. */
export function outputsDirectory(state: string): string {
  return join(state, "outputs");
}
