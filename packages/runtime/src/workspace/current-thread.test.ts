import { activeTake, entries } from "@retake/core";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { type BundlePlace, BundlePlaces } from "../exchange/testing/bundle-place.ts";

const places = new BundlePlaces();
afterEach(() => vi.restoreAllMocks());
afterAll(() => places.close());

const contents = ({ workspace }: BundlePlace, thread: string) =>
  workspace.store.read(thread, ({ state }) => [...entries(state, activeTake(state))].length);

test("[F27] the current thread is the last changed one, also after the clock went back", async () => {
  let now = Date.UTC(2026, 5, 1, 12);
  vi.spyOn(Date, "now").mockImplementation(() => now);
  const place = places.open("clock");
  const { workspace } = place;
  const first = await workspace.newThread("first");
  const second = await workspace.newThread("second");
  await place.say(second, "write a: later by the clock");
  now -= 3_600_000;
  await place.say(first, "write b: changed last");
  expect(workspace.currentThread()?.id).toBe(first);
  expect(workspace.threads().map(({ id }) => id)).toEqual([first, second]);
  await workspace.undo(workspace.currentThread()?.id ?? "", {});
  expect([contents(place, first), contents(place, second) > 0]).toEqual([0, true]);
  workspace.store.chooseThread(workspace.root, second);
  expect(workspace.currentThread()?.id).toBe(second);
  now -= 3_600_000;
  await place.say(first, "write c: since the choice");
  expect(workspace.currentThread()?.id).toBe(first);
  const own = await workspace.newThread("private", { private: true });
  workspace.store.chooseThread(workspace.root, second);
  now -= 3_600_000;
  await place.say(own, "write d: since the choice");
  expect(workspace.currentThread()?.id).toBe(own);
});

test("[F27] [L6] a thread that another machine changed does not become the current one", async () => {
  const [here, there] = [places.open("here"), places.open("there")];
  const shared = await here.workspace.newThread("shared");
  await here.say(shared, "write a: 1");
  await there.import(await here.bundle(shared));
  await there.say(shared, "write a: 2");
  const current = await here.workspace.newThread("current");
  await here.import(await there.bundle(shared));
  expect(contents(here, shared)).toBe(contents(there, shared));
  expect(here.workspace.currentThread()?.id).toBe(current);
  here.workspace.store.chooseThread(here.workspace.root, current);
  await there.say(shared, "write a: 3");
  await here.say(shared, "write b: here");
  here.workspace.store.chooseThread(here.workspace.root, current);
  await here.import(await there.bundle(shared));
  expect(here.workspace.currentThread()?.id).toBe(current);
});
