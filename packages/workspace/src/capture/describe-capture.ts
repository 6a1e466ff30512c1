import type { Database } from "../database/database.ts";
import type { CaptureId } from "../model/model.ts";
import { CaptureLog } from "./capture-log.ts";
import { readCapture } from "./capture-tree.ts";
import type { Receipt } from "./receipt.ts";

export interface DescribedCapture {
  readonly id: CaptureId;
  readonly parent: CaptureId | undefined;
  readonly createdAt: number;
  readonly receipt: Receipt;
}

/** The time of a capture, the capture that it follows, and its coverage. */
export function describeCapture(database: Database, capture: CaptureId): DescribedCapture {
  const row = new CaptureLog(database).get(capture);
  const uncovered: Receipt["uncovered"][number][] = [];
  for (const [path, state] of readCapture(database, capture).recorded()) {
    if (state.kind === "uncovered") uncovered.push({ path, reason: state.reason });
  }
  const receipt: Receipt = { ...JSON.parse(row.receipt), uncovered };
  return { id: row.id, parent: row.parent, createdAt: row.createdAt, receipt };
}
