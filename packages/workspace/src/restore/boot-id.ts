import { readFileSync } from "node:fs";

/**
 * Names the time since the machine was switched on. What a killed process wrote is still in memory
 * then; after a power loss, what was not flushed may be gone. Where the system does not tell, every
 * start counts as another one, which is the careful answer.
 */
export function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return unknown;
  }
}

const unknown = `unknown-${process.pid}-${Date.now()}`;
