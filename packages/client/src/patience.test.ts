import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Patience } from "./patience.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function waited(patience: Patience): Promise<number> {
  const started = Date.now();
  const waiting = patience.wait();
  await vi.runAllTimersAsync();
  await waiting;
  return Date.now() - started;
}

test("[P8] waits twice as long each time, at most five seconds, and anew after a success", async () => {
  const patience = new Patience(undefined);
  const waits: number[] = [];
  for (let attempt = 0; attempt < 8; attempt += 1) waits.push(await waited(patience));
  expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000]);
  patience.wentWell();
  expect(await waited(patience)).toBe(100);
});

test("[P8] does not wait once the signal is aborted", async () => {
  const stop = new AbortController();
  const patience = new Patience(stop.signal);
  const waiting = patience.wait();
  stop.abort();
  await waiting;
  await patience.wait();
  expect(vi.getTimerCount()).toBe(0);
});
