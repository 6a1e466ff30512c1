import type { Receipt } from "../capture/receipt.ts";

/** The paths that a capture left out, each with its reason. */
export function leftOut(receipt: Receipt): Record<string, string> {
  return Object.fromEntries(receipt.uncovered.map(({ path, reason }) => [path, reason]));
}
