import { expect, test } from "vitest";
import { TokenBuckets } from "./token-buckets.ts";

test("[L5] says when there is room again, also after the clock was set back by ten years", () => {
  const buckets = new TokenBuckets({ burst: 2, per_second: 1 });
  const later = 2_000_000_000_000;
  const earlier = later - 10 * 365 * 86_400_000;
  const takes = [later, later, later, later + 1000].map((now) => buckets.take("device", now));
  expect(takes).toEqual([0, 0, 1000, 0]);
  expect([earlier, earlier, earlier].map((now) => buckets.take("device", now))).toEqual([0, 0, 1000]);
});
