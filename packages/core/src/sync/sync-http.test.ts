import { describe, expect, test } from "vitest";
import { SYNC_LIMITS } from "./limits.ts";
import { refusalBody, syncInput, syncOutcome, syncRequest } from "./sync-http.ts";
import { refuseSync, SYNC_REFUSALS, type SyncRefusalCode } from "./sync-refusal.ts";
import { SYNC_ROUTES } from "./sync-routes.ts";
import { KID, operation, segment } from "./testing/segments.ts";

/** The input that a server makes of a request. */
function received(call: keyof typeof SYNC_ROUTES, request: ReturnType<typeof syncRequest>): unknown {
  const [path = "", query = ""] = request.path.split("?");
  const names = [...SYNC_ROUTES[call].path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
  const pattern = new RegExp(`^${SYNC_ROUTES[call].path.replaceAll(/\{\w+\}/g, "([^/]+)")}$`);
  const values = pattern.exec(path)?.slice(1).map(decodeURIComponent) ?? [];
  return syncInput(call, {
    path: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""])),
    query: Object.fromEntries(new URLSearchParams(query)),
    body: typeof request.body === "string" ? JSON.parse(request.body) : request.body,
  });
}

describe("a call", () => {
  const inputs = {
    pullSegments: { vault: "v", thread: "t", seen: [], after: 12 },
    listChanges: { vault: "v", since: "3.ab", seen: ["4.cd", "5.ef"], wait: 20 },
    pushSegment: { vault: "v", thread: "t", seen: ["1.a"], segment: segment([operation("a")]) },
    putPack: { vault: "v", pack: "p", kid: KID, digest: "0".repeat(64), bytes: new Uint8Array([1, 2]) },
    followLink: { code: "BCDF-GH" },
  } as const;

  test.each(Object.keys(inputs) as (keyof typeof inputs)[])("[L5] %s arrives as it was sent", (call) => {
    const input = received(call, syncRequest(call, inputs[call]));
    expect(input).toEqual(inputs[call]);
    expect(SYNC_ROUTES[call].input(input)).toBeUndefined();
  });

  test("[L5] names the version of the protocol", () => {
    expect(syncRequest("readVault", { vault: "v" }).headers).toMatchObject({ "retake-sync-version": "1" });
  });

  test("[L5] keeps a hostile id inside its part of the path", () => {
    expect(syncRequest("readVault", { vault: "../x?y=1" }).path).toBe("/v1/vaults/..%2Fx%3Fy%3D1");
  });

  test("[L5] cannot replace a field of the path by one of the body or the query", () => {
    expect(
      syncInput("pullSegments", { path: { vault: "v", thread: "t" }, query: { vault: "w" }, body: undefined }),
    ).toEqual({ vault: "v", thread: "t" });
    expect(syncInput("checkBlobs", { path: { vault: "v" }, query: {}, body: { vault: "w", names: [] } })).toEqual({
      vault: "v",
      names: [],
    });
  });
});

describe("a response", () => {
  test.each(Object.entries(SYNC_REFUSALS))("[L5] refuses with %s", (code, status) => {
    const refusal = refuseSync(code as SyncRefusalCode, "words", { retry_after_ms: 5 });
    expect(syncOutcome("readVault", { status, body: refusalBody(refusal) })).toEqual(refusal);
  });

  test("[L6] of a proxy is no answer, and its Retry-After counts", () => {
    expect(syncOutcome("readVault", { status: 502, body: undefined })).toMatchObject({ kind: "no-answer" });
    expect(syncOutcome("readVault", { status: 503, body: undefined, retry_after: "7" })).toMatchObject({
      code: "unavailable",
      details: { retry_after_ms: 7000 },
    });
  });

  test("[L5] may have a segment as large as a server takes one", () => {
    const pulled = (length: number) => ({
      segments: [{ seq: 1, envelope: { format_version: 1 }, body: "A".repeat(length) }],
      ...{ last_seq: 1, heads: [], change: "1.x" },
    });
    const largest = Math.ceil(SYNC_LIMITS.segment_bytes / 3) * 4;
    const kindOf = (length: number) => syncOutcome("pullSegments", { status: 200, body: pulled(length) }).kind;
    expect([kindOf(largest), kindOf(largest + 1)]).toEqual(["answer", "no-answer"]);
  });

  test("[L5] that is not of the right form is no answer", () => {
    const body = { segment: "s", seq: 0, last_seq: 1, heads: [], change: "1.x" };
    expect(syncOutcome("pushSegment", { status: 200, body })).toMatchObject({ kind: "no-answer" });
    expect(syncOutcome("pushSegment", { status: 200, body: { ...body, seq: 1 } })).toMatchObject({ kind: "answer" });
  });
});
