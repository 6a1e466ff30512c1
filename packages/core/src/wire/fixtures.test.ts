import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MemoryHistory } from "../history/history.ts";
import { OPERATION_ROLES } from "../session/operation.ts";
import { commonOf, commonOfV1, FoldV1 } from "../testing/fold-v1.ts";
import type { JsonObject } from "../values/json.ts";
import { checkpointFormat } from "./checkpoint-format.ts";
import { hashOperation, operationFormat } from "./operation-format.ts";
import { type OperationV1, operationV1 } from "./operation-v1.ts";
import { LogUpgrade } from "./upgrade-log.ts";
import { decode, encode, type Format } from "./versioned.ts";

/** A thread as version 1 wrote it. The fixture stays for ever: it must stay readable with the same meaning. */
const lines = readFileSync(new URL("./fixtures/v1/log.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as { hash: string; operation: JsonObject });
const checkpoint = readFileSync(new URL("./fixtures/v1/checkpoint.json", import.meta.url), "utf8");

describe("a log of version 1", () => {
  test("[S3] [W1] is readable, and every operation has its original hash", () => {
    const hashes = new Map<string, string>();
    for (const { hash, operation: json } of lines) {
      const operation = must(operationV1, json);
      hashes.set(operation.id, hash);
      const parents = operation.parents.map((id) => hashes.get(id) ?? "");
      expect(hashOperation(operation, parents, sha256), operation.id).toBe(hash);
    }
    expect(hashes.size).toBe(lines.length);
  });

  test("[S3] [W2] is not mistaken for a log of version 2", () => {
    expect(decode(operationFormat, lines[0]?.operation)).toMatchObject({ kind: "unreadable", code: "malformed" });
  });

  test("[S3] [W1] [W2] upgraded, has the same meaning after every operation", () => {
    const old = new FoldV1();
    const history = new MemoryHistory();
    const upgrade = new LogUpgrade((tree) => `new-${tree}`);
    for (const { operation: json } of lines) {
      const operation = must(operationV1, json);
      const made = must(
        operationFormat,
        JSON.parse(JSON.stringify(encode(operationFormat, upgrade.upgrade(history, operation)))),
      );
      const kind = operation.kind === "turn-captured" ? "turn-streamed" : operation.kind;
      expect(withoutDiff(made)).toEqual(withoutDiff({ ...operation, kind }));
      if ((operation.parents[0] ?? null) === history.state.head) history.commit(made);
      else history.add(made);
      const before = commonOfV1(old.apply(operation), (tree) => `new-${tree}`);
      expect(commonOf(history.stateAt(operation.id)), operation.id).toEqual(before);
    }
  });

  test("[S3] [W1] [H1] upgraded, leads to the state of its checkpoint", () => {
    const history = new MemoryHistory();
    const upgrade = new LogUpgrade((tree) => tree);
    for (const { operation: json } of lines) {
      const made = upgrade.upgrade(history, must(operationV1, json));
      if ((made.parents[0] ?? null) === history.state.head) history.commit(made);
      else history.add(made);
    }
    const state = must(checkpointFormat, JSON.parse(checkpoint));
    expect(commonOf(history.state)).toEqual(commonOf(state));
    expect([state.head, state.version]).toEqual([history.state.head, history.state.version]);
  });

  test("has every kind of operation that version 1 knew", () => {
    const since = ["entries-imported", "take-kept", "turn-imported"];
    const kinds = new Set([...lines.map(({ operation }) => operation["kind"]), ...since]);
    expect(Object.keys(OPERATION_ROLES).filter((kind) => !kinds.has(kind))).toEqual([]);
  });
});

function withoutDiff({ diff: _, ...rest }: Pick<OperationV1, "id" | "kind"> & { diff: unknown }): object {
  return rest;
}

function must<T>(format: Format<T>, json: unknown): T {
  const decoded = decode(format, json);
  if (decoded.kind === "unreadable") throw new Error(decoded.message);
  return decoded.value;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
