import { expect, test } from "vitest";
import { retryAfter } from "./retry-after.ts";

const now = Date.parse("2026-01-01T00:00:00Z");

test.each([
  [{ "retry-after": "2" }, 2000],
  [{ "retry-after": "1.5" }, 1500],
  [{ "retry-after-ms": "250", "retry-after": "1" }, 250],
  [{ "x-ms-retry-after-ms": "70.2" }, 71],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30_000],
  [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "" }, undefined],
  [{}, undefined],
])("[AG41] %j", (headers, milliseconds) => {
  expect(retryAfter({ headers, body: undefined, now })).toBe(milliseconds);
});

test("[AG41] Google's errors say it in their details", () => {
  const body = { error: { details: [{ retryDelay: "31.5s" }] } };
  expect(retryAfter({ headers: {}, body, now })).toBe(31_500);
});
