import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "@retake/core";

/** The file with the keys of sync, beside the configuration; `sync/login-file.ts` reads and writes it. */
export function syncFile(config: string): string {
  return join(config, "sync.json");
}

/** The keys of sync under names of secrets, so that logs leave out their values wherever they are. */
export function syncSecrets(config: string): Readonly<Record<string, string>> {
  const found = new Map<string, string>();
  const collect = (value: unknown): void => {
    if (typeof value === "string" && value.length >= SHORTEST_KEY) found.set(`RETAKE_SYNC_${found.size}_KEY`, value);
    else if (isObject(value)) for (const [name, each] of Object.entries(value)) if (name !== "url") collect(each);
  };
  try {
    collect(JSON.parse(readFileSync(syncFile(config), "utf8")));
  } catch {
    // Not logged in, or a file that sync itself reports as unreadable.
  }
  return Object.fromEntries(found);
}

/** A key has 32 bytes, in base64 or in hexadecimal digits. */
const SHORTEST_KEY = 43;
