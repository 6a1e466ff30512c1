/**
 * The client that turns go through: that of the running server, so that every screen sees the turn, answers for it and can
 * end it (decision 0013), or one whose routes are in this process. A server is passed over where a turn would come out
 * otherwise there than here: another version, other keys.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient } from "@retake/client";
import manifest from "../package.json" with { type: "json" };
import type { Call } from "./command.ts";
import type { World } from "./world.ts";

export interface FoundClient {
  readonly client: Client;
  /** The server's process; undefined for this one. */
  readonly pid: number | undefined;
  /** Whether the routes are still served by the process that they were found at. */
  isThere(): Promise<boolean>;
}

export async function findClient({ runtime, workspace, world }: Call): Promise<FoundClient> {
  const { state } = runtime.store.directories;
  // A look at most: usually no server runs, and then nothing is loaded for one.
  const served = existsSync(join(state, "server.json")) ? await serverClient(state, world) : undefined;
  if (served) return served;
  const { localFetch } = await import("@retake/server/local");
  const client = createClient({ url: "http://localhost", fetch: localFetch(runtime, workspace.root) });
  return { client, pid: undefined, isThere: async () => true };
}

async function serverClient(state: string, { environment }: World): Promise<FoundClient | undefined> {
  const { findServer, readToken, socketFetch, surroundingsOf } = await import("@retake/server/running");
  const at = await findServer(state);
  if (at?.version !== manifest.version) return undefined;
  const token = tokenIn(readToken, state);
  if (token === undefined || at.surroundings !== surroundingsOf(environment, token)) return undefined;
  const client = createClient({ url: "http://localhost", token, fetch: socketFetch(at.socket) });
  return { client, pid: at.pid, isThere: async () => (await findServer(state))?.pid === at.pid };
}

/** Without a token file the server lets nobody in. */
function tokenIn(readToken: (file: string) => string, state: string): string | undefined {
  try {
    return readToken(join(state, "token"));
  } catch {
    return undefined;
  }
}
