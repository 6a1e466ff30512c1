import { describe, expect, test } from "vitest";
import { type AccessFacts, decideAccess } from "./decide-access.ts";
import { changeOf, cursorOf, decideSeen } from "./decide-changes.ts";
import { decideKeyChange } from "./decide-key-change.ts";

describe("access", () => {
  const facts: AccessFacts = {
    access: "device",
    version: "1",
    token: true,
    device: { vault: "v", revoked: false },
    vault: "v",
  };

  test("[L5] is given to a device of the vault", () => {
    expect(decideAccess(facts)).toBeUndefined();
  });

  test.each([
    ["no token", "unauthorized", { token: false }],
    ["an unknown token", "unauthorized", { device: undefined }],
    ["a revoked device", "revoked", { device: { vault: "v", revoked: true } }],
    ["a device of another vault", "not-found", { device: { vault: "w", revoked: false } }],
    ["a newer protocol", "newer-version", { version: "2" }],
    ["no version", "invalid-request", { version: undefined }],
  ] as const)("[L5] is refused to %s: %s", (_, code, other) => {
    expect(decideAccess({ ...facts, ...other })).toMatchObject({ code });
  });
});

describe("a cursor", () => {
  const cursor = cursorOf({ change: 7, mark: "ab" });

  test("[L6] names a change", () => {
    expect(changeOf(cursor)).toBe(7);
    expect(decideSeen([cursor], (change) => (change === 7 ? "ab" : undefined))).toBeUndefined();
  });

  test("[L6] of a device that has seen nothing fits every server", () => {
    expect(decideSeen([undefined, cursorOf({ change: 0, mark: "" })], () => undefined)).toBeUndefined();
  });

  test("[L6] tells that the server lost its change, or has another one in its place", () => {
    expect(decideSeen([cursor], () => undefined)).toMatchObject({ code: "rewound" });
    expect(decideSeen([undefined, cursor], () => "cd")).toMatchObject({ code: "rewound" });
  });
});

describe("a new vault key", () => {
  const change = {
    previous: "k1",
    kid: "k2",
    recovery_hash: "r",
    threads: [{ thread: "t", wrapped_key: "" }],
    devices: [{ device: "e", sealed_key: "" }],
  };
  const facts = { kid: "k1", threads: ["t"], devices: ["d", "e"], device: "d" };

  test("[X16] is taken with the keys of all threads and for all devices", () => {
    expect(decideKeyChange(change, facts)).toBeUndefined();
  });

  test.each([
    ["another key was set meanwhile", { kid: "k3" }],
    ["a thread is missing", { threads: ["t", "u"] }],
    ["a device is missing", { devices: ["d", "e", "f"] }],
  ])("[X16] is refused when %s", (_, other) => {
    expect(decideKeyChange(change, { ...facts, ...other })).toMatchObject({ code: "stale-key" });
  });
});
