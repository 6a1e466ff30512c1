/** The second thread of a scan. It holds the same stat table as the first thread and does half of the work. */
import { workerData } from "node:worker_threads";
import { connect } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { freeBuffer } from "../model/free-buffer.ts";
import { ObjectStore } from "../objects/object-store.ts";
import { Names } from "./names.ts";
import { COUNTERS, freeOutcomes, readJobs } from "./read-jobs.ts";
import type { HelperRequest, HelperStart } from "./scan-helper.ts";
import { StatTable, takeSlots } from "./stat-table.ts";

const { port, root, databaseFile, packs, cancel } = workerData as HelperStart;
const table = new StatTable(root);
const isCancelled = () => Atomics.load(cancel, 0) !== 0;
let database: Database | undefined;
let objects: ObjectStore | undefined;

port.on("message", (request: HelperRequest) => {
  switch (request.kind) {
    case "rows":
      for (const [slot, row] of request.rows) table.set(slot, row && { ...row, names: new Names(row.names) });
      return;
    case "check":
      answer(request.shared, () => takeSlots(table, request.shared, isCancelled));
      return;
    case "read":
      read(request);
      return;
    case "hand-over":
      answer(request.shared, () => openStore().handOver());
      return;
    case "forget":
      objects?.forget();
      return;
    case "close":
      objects?.close();
      database?.close();
      port.close();
  }
});

function read({ shared, jobs }: Extract<HelperRequest, { kind: "read" }>): void {
  const read = answer(shared, () => {
    const store = openStore();
    const done = readJobs(root, jobs, shared, store, () => {
      if (isCancelled()) throw new Error("cancelled");
    });
    return { done, handed: store.handOverPlaced() };
  });
  freeBuffer(jobs.looks);
  if (read) freeOutcomes(read.done);
}

function openStore(): ObjectStore {
  database ??= connect(databaseFile);
  objects ??= new ObjectStore(database, packs);
  return objects;
}

function answer<T>(shared: Int32Array, work: () => T): T | undefined {
  let reply: { result: T } | { error: unknown };
  try {
    reply = { result: work() };
  } catch (error) {
    reply = { error };
  }
  // The message first, so that it has arrived when the waiting thread wakes up.
  port.postMessage(reply);
  Atomics.store(shared, COUNTERS.helperDone, 1);
  Atomics.notify(shared, COUNTERS.helperDone);
  return "result" in reply ? reply.result : undefined;
}
