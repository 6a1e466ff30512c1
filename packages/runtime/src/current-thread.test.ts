import { activeTake, entries } from "@retake/core";
import { afterEach, expect, test, vi } from "vitest";
import { type BundlePlace, BundlePlaces } from "./exchange/testing/bundle-place.ts";

const places = new BundlePlaces();
afterEach(() => {
  vi.restoreAllMocks();
  return places.close();
});

const contents = ({ retake }: BundlePlace, thread: string) =>
  retake.read(thread, ({ state }) => [...entries(state, activeTake(state))].length);

test("[F27] the current thread is the one that was changed last, also when the clock went back", async () => {
  let now = Date.UTC(2026, 5, 1, 12);
  vi.spyOn(Date, "now").mockImplementation(() => now);
  const place = places.open("clock");
  const { retake } = place;
  const first = await retake.newThread("first");
  const second = await retake.newThread("second");
  await place.say(second, "write a: later by the clock");
  now -= 3_600_000;
  await place.say(first, "write b: changed last");
  expect(retake.currentThread()?.id).toBe(first);
  expect(retake.threads().map(({ id }) => id)).toEqual([first, second]);
  await retake.undo(retake.currentThread()?.id ?? "", {});
  expect([contents(place, first), contents(place, second) > 0]).toEqual([0, true]);
  retake.chooseThread(second);
  expect(retake.currentThread()?.id).toBe(second);
  now -= 3_600_000;
  await place.say(first, "write c: since the choice");
  expect(retake.currentThread()?.id).toBe(first);
  const own = await retake.newThread("private", { private: true });
  retake.chooseThread(second);
  now -= 3_600_000;
  await place.say(own, "write d: since the choice");
  expect(retake.currentThread()?.id).toBe(own);
});
