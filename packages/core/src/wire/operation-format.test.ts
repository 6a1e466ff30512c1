import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { OPERATION_ROLES, type Operation } from "../session/operation.ts";
import { everyOperation } from "../testing/every-operation.ts";
import { hashOperation, operationFormat } from "./operation-format.ts";
import { decode, encode } from "./versioned.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const { log } = everyOperation();
const sample = log.find((operation) => operation.kind === "entry-edited") as Operation;

describe("operations on the wire", () => {
  test("the example thread has every kind of operation", () => {
    const kinds = new Set(log.map((operation) => operation.kind));
    expect([...kinds].sort()).toEqual(Object.keys(OPERATION_ROLES).sort());
  });

  test.each(log.map((operation) => [operation.kind, operation] as const))(
    "[S3] [W1] %s reads back as it was written",
    (_, operation) => {
      expect(decode(operationFormat, JSON.parse(JSON.stringify(encode(operationFormat, operation))))).toEqual({
        kind: "decoded",
        value: operation,
      });
    },
  );

  test("[S3] [W2] refuses data of a newer version and says what to do", () => {
    const newer = { ...encode(operationFormat, sample), format_version: operationFormat.version + 1 };
    expect(decode(operationFormat, newer)).toMatchObject({
      kind: "unreadable",
      code: "newer-version",
      message: expect.stringContaining("update Retake"),
    });
  });

  test("[S3] [W2] missing fields of older data get their defaults", () => {
    const { scope: _, group: __, actor: ___, description: ____, ...older } = encode(operationFormat, sample);
    expect(decode(operationFormat, older)).toEqual({
      kind: "decoded",
      value: { ...sample, scope: "take", group: sample.id, actor: { kind: "user" }, description: "" },
    });
  });

  const wrong: [string, unknown][] = [
    ["nothing", undefined],
    ["a list", []],
    ["another format", { ...encode(operationFormat, sample), format: "retake-checkpoint" }],
    ["no version of the format", { ...encode(operationFormat, sample), format_version: "1" }],
    ["an unknown kind", { ...encode(operationFormat, sample), kind: "exploded" }],
    ["a kind from Object's prototype", { ...encode(operationFormat, sample), kind: "toString" }],
    ["no diff", { ...encode(operationFormat, sample), diff: null }],
    ["a change that is none", { ...encode(operationFormat, sample), diff: { changes: [{ kind: "constructor" }] } }],
    ["a version that is no number", { ...encode(operationFormat, sample), version: Number.NaN }],
    [
      "a key that no record may have",
      JSON.parse(
        JSON.stringify(encode(operationFormat, sample)).replace('"fields":{', '"fields":{"__proto__":{"after":1},'),
      ),
    ],
  ];
  test.each(wrong)("[S3] [W2] %s is unreadable, not an exception", (_, json) => {
    expect(decode(operationFormat, json)).toMatchObject({ kind: "unreadable", code: "malformed" });
  });

  test("[W3] the hash changes with the content and with every parent's hash", () => {
    const hash = hashOperation(sample, ["a"], sha256);
    expect(hashOperation({ ...sample }, ["a"], sha256)).toBe(hash);
    expect(hashOperation({ ...sample, description: "x" }, ["a"], sha256)).not.toBe(hash);
    expect(hashOperation(sample, ["b"], sha256)).not.toBe(hash);
  });
});
