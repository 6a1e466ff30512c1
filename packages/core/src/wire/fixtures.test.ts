import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MemoryHistory } from "../history/history.ts";
import { OPERATION_ROLES, type Operation } from "../session/operation.ts";
import { everyOperation } from "../testing/every-operation.ts";
import { visible } from "../testing/world.ts";
import { canonical, type Json, type JsonObject } from "../values/json.ts";
import { checkpointFormat } from "./checkpoint-format.ts";
import { hashOperation, operationFormat } from "./operation-format.ts";
import { decode, encode, type Format } from "./versioned.ts";

/**
 * Threads as version 1 wrote them. They are kept for ever: whatever changes here, they can be read and mean
 * the same. RETAKE_WRITE_FIXTURES=1 writes those of a version that has none yet, and never changes one.
 */
const folder = new URL(`./fixtures/v${operationFormat.version}/`, import.meta.url);
const files = { log: new URL("log.jsonl", folder), checkpoint: new URL("checkpoint.json", folder) };
if (process.env["RETAKE_WRITE_FIXTURES"] && !existsSync(files.log)) writeFixtures();

const lines = readFileSync(new URL("./fixtures/v1/log.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");
const checkpoint = readFileSync(new URL("./fixtures/v1/checkpoint.json", import.meta.url), "utf8");

describe("what version 1 wrote", () => {
  test("[S3] [W1] every operation is read, and its hash is what it was", () => {
    const hashes = new Map<string, string>();
    for (const line of lines) {
      const { hash, operation: json } = JSON.parse(line) as { hash: string; operation: JsonObject };
      const operation = must(operationFormat, json);
      hashes.set(operation.id, hash);
      const parents = operation.parents.map((id) => hashes.get(id) ?? "");
      expect(hashOperation(operation, parents, sha256), operation.id).toBe(hash);
    }
    expect(hashes.size).toBe(lines.length);
  });

  test("[S3] [W1] [H1] folded, its log gives the state of its checkpoint", () => {
    const history = new MemoryHistory();
    for (const line of lines) {
      const operation = must(operationFormat, (JSON.parse(line) as { operation: JsonObject }).operation);
      if ((operation.parents[0] ?? null) === history.state.head) history.commit(operation);
      else history.add(operation);
    }
    const state = must(checkpointFormat, JSON.parse(checkpoint));
    expect(canonical(visible(history.state) as Json)).toBe(canonical(visible(state) as Json));
    expect([state.head, state.version]).toEqual([history.state.head, history.state.version]);
  });

  test("it has every kind of operation that version 1 knew", () => {
    const kinds = new Set(lines.map((line) => JSON.parse(line).operation.kind as string));
    expect(Object.keys(OPERATION_ROLES).filter((kind) => !kinds.has(kind))).toEqual([]);
  });
});

function must<T>(format: Format<T>, json: unknown): T {
  const decoded = decode(format, json);
  if (decoded.kind === "unreadable") throw new Error(decoded.message);
  return decoded.value;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function writeFixtures(): void {
  const world = everyOperation();
  const hashes = new Map<string, string>();
  const written = world.log.map((operation: Operation) => {
    const parents = operation.parents.map((id) => hashes.get(id) ?? "");
    const hash = hashOperation(operation, parents, sha256);
    hashes.set(operation.id, hash);
    return JSON.stringify({ hash, operation: encode(operationFormat, operation) });
  });
  writeFileSync(files.log, `${written.join("\n")}\n`);
  writeFileSync(files.checkpoint, `${JSON.stringify(encode(checkpointFormat, world.state))}\n`);
}
