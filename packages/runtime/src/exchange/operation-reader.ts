import { decode, type Operation, type OperationId, operationFormat, recordProblem } from "@retake/core";
import type { Hash } from "@retake/workspace";
import type { StoredOperation } from "../store/stored-operations.ts";
import { BundleError, broken } from "./bundle-error.ts";
import type { OperationLine } from "./bundle-format.ts";
import { chainHash } from "./chain-hash.ts";

export interface ReadOperation {
  readonly kind: "operation";
  readonly operation: Operation;
  readonly stored: StoredOperation;
}

/** The facts about an operation that later operations are checked against. */
export interface KnownOperation {
  readonly hash: Hash;
  readonly version: number;
}

/**
 * Reads the operations of a thread from an untrusted source, in their order. Each follows those before it or operations
 * that are `known` already, has the hash that its content and its parents lead to, and leaves every record valid.
 */
export class OperationReader {
  readonly #thread: string;
  readonly #known: (id: OperationId) => KnownOperation | undefined;
  readonly #hashes = new Map<OperationId, Hash>();
  readonly #versions = new Map<OperationId, number>();

  constructor(thread: string, known: (id: OperationId) => KnownOperation | undefined = () => undefined) {
    this.#thread = thread;
    this.#known = known;
  }

  get count(): number {
    return this.#hashes.size;
  }

  read({ hash, body }: OperationLine): ReadOperation {
    if (typeof body !== "string" || typeof hash !== "string") throw broken("an operation is not one");
    const decoded = decode(operationFormat, parse(body));
    if (decoded.kind === "unreadable") throw new BundleError(decoded.code, `${decoded.message} Nothing was changed.`);
    const operation = decoded.value;
    const { id, parents, version } = operation;
    if (this.#versions.has(id)) throw broken(`operation ${id} is in it twice`);
    const hashes = this.#hashesOf(parents);
    if (parents.length === 0 ? !this.#isFirst(operation) : hashes === undefined)
      throw broken(`operation ${id} does not follow those before it`);
    if (version !== 1 + Math.max(0, ...parents.map((parent) => this.#version(parent))))
      throw broken(`operation ${id} is not counted as it should be`);
    requireValidRecords(operation);
    if (chainHash(operation, hashes ?? new Map()) !== hash) throw broken(`operation ${id} is not what was committed`);
    this.#hashes.set(id, hash);
    this.#versions.set(id, version);
    return { kind: "operation", operation, stored: { id, hash, body } };
  }

  /** Undefined when one of them is missing. */
  #hashesOf(parents: readonly OperationId[]): Map<OperationId, Hash> | undefined {
    const found = new Map<OperationId, Hash>();
    for (const id of parents) {
      const hash = this.#hashes.get(id) ?? this.#known(id)?.hash;
      if (hash === undefined) return undefined;
      found.set(id, hash);
    }
    return found;
  }

  #version(id: OperationId): number {
    return this.#versions.get(id) ?? this.#known(id)?.version ?? 0;
  }

  #isFirst({ diff }: Operation): boolean {
    const born = diff.changes.find(({ id }) => id === "thread");
    return this.count === 0 && born?.kind === "create" && born.after["id"] === this.#thread;
  }
}

export function requireValidRecords({ id, diff }: Operation): void {
  const problem = recordProblem(diff);
  if (problem) throw broken(`in operation ${id} the record ${problem}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
