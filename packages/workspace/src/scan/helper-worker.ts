/** The second thread of a scan. It holds the same stat table as the first and takes half of the work. */
import { workerData } from "node:worker_threads";
import { connect } from "../database/connect.ts";
import type { Database } from "../database/database.ts";
import { ObjectStore } from "../objects/object-store.ts";
import { counters, readJobs } from "./read-jobs.ts";
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
      for (const [slot, row] of request.rows) table.set(slot, row);
      return;
    case "check":
      answer(request.shared, () => takeSlots(table, request.shared, isCancelled));
      return;
    case "read":
      answer(request.shared, () => {
        database ??= connect(databaseFile);
        objects ??= new ObjectStore(database, packs);
        const store = objects;
        try {
          const done = readJobs(root, request.jobs, request.shared, store, () => {
            if (isCancelled()) throw new Error("cancelled");
          });
          return { done, handed: store.handOver() };
        } finally {
          store.forget();
        }
      });
      return;
    case "close":
      objects?.close();
      database?.close();
      port.close();
  }
});

function answer(shared: Int32Array, work: () => unknown): void {
  let reply: { result: unknown } | { error: unknown };
  try {
    reply = { result: work() };
  } catch (error) {
    reply = { error };
  }
  // The message first: whoever is woken finds it waiting.
  port.postMessage(reply);
  Atomics.store(shared, counters.helperDone, 1);
  Atomics.notify(shared, counters.helperDone);
}
