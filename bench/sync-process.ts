/** A sync server as a process of its own, without limits, for `sync.bench.ts`: `sync-process.ts <db> <blobs>`. */
import { startSyncServer } from "../packages/sync-server/src/start-sync-server.ts";

const [, , db = "", blobs = ""] = process.argv;
const rate = { burst: 1e9, per_second: 1e9 };
const limits = { device: rate, vault: rate, stranger: rate };
const server = await startSyncServer({ db, blobs, port: 0, now: Date.now, log: () => undefined, limits });
process.on("message", async (message: { readonly invite?: true }) => {
  if (message.invite) process.send?.(await server.invite());
  else {
    await server.close();
    process.disconnect();
  }
});
process.send?.(server.url);
