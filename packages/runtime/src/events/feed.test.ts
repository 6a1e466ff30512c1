import { changeSetting } from "@retake/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Stores } from "../stores.ts";
import { SharedWorkspace } from "../undo/testing/shared-workspace.ts";
import { Feed } from "./feed.ts";
import { fromSequence, toSequence } from "./sequence.ts";

let shared: SharedWorkspace;
let stores: Stores;
let feed: Feed;
beforeEach(() => {
  shared = new SharedWorkspace();
  stores = new Stores(shared.retake.directories.data);
  feed = new Feed(stores);
});
afterEach(async () => {
  feed.close();
  stores.close();
  await shared.remove();
});

/** As another process would: the feed has not looked. */
function type(thread: string, text: string): void {
  const done = shared.retake.change(thread, (state, context) =>
    changeSetting(state, context, { field: "draft", value: text }),
  );
  if ("code" in done) throw new Error(done.message);
}

test("[P8] [L8] what a reader was told from the log is not told again, whichever store went on meanwhile", async () => {
  const open = await shared.retake.newThread("open");
  const hidden = await shared.retake.newThread("hidden", { private: true });
  const { signal } = new AbortController();
  const all = feed.follow({ signal, heartbeat_ms: 1 });
  await all.next();
  const before = fromSequence(feed.sequence());
  type(open, "one");
  type(open, "two");
  feed.look();
  // A place that the recent events, which are numbered as they were seen, do not have.
  const since = toSequence({ shared: before.shared, private: before.private - 1 });
  type(hidden, "three");
  const reader = feed.follow({ since, thread: hidden, signal, heartbeat_ms: 1 });
  const told: unknown[] = [];
  for (let batch = 0; batch < 4; batch += 1) {
    const { value = [] } = await reader.next();
    told.push(...value.map(({ json }) => JSON.parse(json).version));
    if (batch === 2) feed.look();
  }
  expect(told).toEqual([...new Set(told)]);
  expect(told.length).toBeGreaterThan(1);
  await Promise.all([reader.return(), all.return()]);
});
