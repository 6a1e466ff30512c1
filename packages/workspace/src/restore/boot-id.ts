import { readFileSync } from "node:fs";

/**
 * Identifies the period since the machine was started. Within it, the writes of a killed process are still in memory;
 * after a power loss, unflushed writes may be lost. Where the system does not tell, every process counts as a new
 * period, which is the safe answer.
 */
export function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return UNKNOWN;
  }
}

const UNKNOWN = `unknown-${process.pid}-${Date.now()}`;
