/** The thread of `pullInThread`. */
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { connect } from "@retake/workspace";
import { Identity } from "../store/identity.ts";
import { LoginFile } from "./login-file.ts";
import { openSession } from "./open-session.ts";
import type { PullMessage, PullThreadStart } from "./pull-thread.ts";
import { syncPart } from "./sync-part.ts";

const { directories, device, login, thread, step } = workerData as PullThreadStart;
const tell = (message: PullMessage) => parentPort?.postMessage(message);
const ending = new AbortController();
parentPort?.once("message", () => ending.abort());

const database = connect(join(directories.data, "retake.db"));
const session = openSession({
  part: syncPart(directories.data, database, device),
  file: new LoginFile(directories.config),
  login,
  identity: new Identity(Date.now),
  onStep: () => tell({ kind: "step" }),
});
session
  .pull(thread, step, ending.signal)
  .catch((error: unknown) => tell({ kind: "failed", message: error instanceof Error ? error.message : String(error) }))
  .finally(() => {
    session.close();
    database.close();
    parentPort?.close();
  });
