import { randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The id of this machine, made once. It is part of the name of facts that each device has of its own, such as the
 * active take.
 */
export function deviceId(data: string): string {
  const file = join(data, "device");
  const known = read(file);
  if (known) return known;
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    make(file);
  } catch {
    // The store reports a directory that cannot be written to; until it can, this machine has no id.
  }
  return read(file) ?? "";
}

function make(file: string): void {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `d-${randomUUID()}\n`, { mode: 0o600, flush: true });
  try {
    // Never half written, and never over another process's file.
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function read(file: string): string | undefined {
  try {
    return /^d-[0-9a-f-]{36}$/.exec(readFileSync(file, "utf8").trim())?.[0];
  } catch {
    return undefined;
  }
}
