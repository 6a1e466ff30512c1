/** The thread of `SegmentThread`: decrypts and checks segments. Its connection to the store only reads. */
import { parentPort, workerData } from "node:worker_threads";
import { connect } from "@retake/workspace";
import { SyncRows } from "../store/sync-rows.ts";
import { SegmentSequence } from "./segment-sequence.ts";
import { packSegment, type SegmentRequest, type SegmentThreadStart } from "./segment-thread.ts";
import { ThreadKeys } from "./thread-keys.ts";

const { file, key, vault, thread, device } = workerData as SegmentThreadStart;
const database = connect(file);
const keys = new ThreadKeys(key, vault, thread);
const sequence = new SegmentSequence({ vault, thread, device, keys }, new SyncRows(database));

parentPort?.on("message", (request: SegmentRequest) => {
  if (request.kind === "close") {
    database.close();
    parentPort?.close();
  } else parentPort?.postMessage(packSegment(sequence.read(request.segment)));
});
