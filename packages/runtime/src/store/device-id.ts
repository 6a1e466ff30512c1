import { randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The id of this machine: what is a fact of each device, such as the active take, is named with it. Made once. */
export function deviceId(data: string): string {
  const file = join(data, "device");
  const known = read(file);
  if (known) return known;
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    make(file);
  } catch {
    // A directory that cannot be written in is for the store to tell; until there is an id, this machine has none.
  }
  return read(file) ?? "";
}

function make(file: string): void {
  const made = `${file}.${process.pid}`;
  writeFileSync(made, `d-${randomUUID()}\n`, { mode: 0o600, flush: true });
  try {
    // Never half written, and never over another process's.
    linkSync(made, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(made, { force: true });
  }
}

function read(file: string): string | undefined {
  try {
    return /^d-[0-9a-f-]{36}$/.exec(readFileSync(file, "utf8").trim())?.[0];
  } catch {
    return undefined;
  }
}
