import { closeSync, constants, fchmodSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import {
  asJson,
  idProblem,
  isObject,
  type Json,
  type JsonObject,
  type NamedCall,
  type ToolOutcome,
} from "@retake/core";
import type { ModelEnd, ModelRequest } from "../model/model.ts";
import { secretRedactor } from "../model/redact-secrets.ts";
import { RequestChain, RequestReader } from "./request-chain.ts";

/**
 * The communication log (S8): every request to a model, every answer and every tool call, one JSON object a line, in
 * `<directory>/<thread>.jsonl`. It is an audit trail and no state: no decision uses it, no reset, undo or edit changes
 * it, and lines are only added.
 *
 * A line is one write to a file opened for appending, so lines of several processes do not mix. A write that was cut
 * short (a full disk, a power cut) leaves a torn line; the next line still starts on its own line. A request is written
 * as its difference from the last one (`RequestChain`), and read back whole.
 */
export class CommsLog {
  readonly #directory: string;
  readonly #redact: (value: Json) => Json;
  readonly #chains = new Map<string, RequestChain>();

  /** The values of secret variables in `environment` are removed everywhere. */
  constructor(directory: string, environment: Readonly<Record<string, string | undefined>>) {
    this.#directory = directory;
    this.#redact = secretRedactor(environment);
  }

  /**
   * When it returns, the operating system has the line: a kill does not lose it. Throws when it could not be written.
   */
  append(thread: string, line: CommsLine): void {
    const file = this.#file(thread);
    try {
      const text = `${JSON.stringify({ v: VERSION, ...this.#written(thread, asJson(line)) })}\n`;
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      appendLine(file, text);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new CommsLogError("unwritable", `The communication log ${file} could not be written: ${why}`, { cause });
    }
  }

  /**
   * The lines in order, with whole requests. A line that is not a JSON object (a torn one), or whose request cannot be
   * rebuilt because of such a line, is returned as it is; nothing is skipped.
   */
  async *read(thread: string): AsyncGenerator<ReadLine> {
    let number = 0;
    const requests = new RequestReader();
    for await (const text of linesOf(this.#file(thread))) {
      number += 1;
      const parsed = parse(text);
      const line = parsed?.["kind"] === "request" ? requests.whole(parsed) : parsed;
      yield line ? { kind: "line", number, line } : { kind: "unreadable", number, text };
    }
  }

  #written(thread: string, line: JsonObject): JsonObject {
    const { request, ...rest } = line;
    if (line["kind"] !== "request" || !isObject(request)) return this.#redact(line) as JsonObject;
    let chain = this.#chains.get(thread);
    if (!chain) {
      chain = new RequestChain();
      chain.resume(lastRequest(this.#file(thread)));
      this.#chains.set(thread, chain);
    }
    return { ...(this.#redact(rest) as JsonObject), ...chain.write(request, this.#redact) };
  }

  #file(thread: string): string {
    const problem = idProblem(thread);
    if (problem !== undefined) throw new CommsLogError("invalid-thread", `The thread's id ${problem}.`);
    return join(this.#directory, `${thread}.jsonl`);
  }
}

/**
 * `at` is ISO 8601. Requests are given and read whole. A call has a line when it starts, and another with its result.
 */
export type CommsLine = { readonly at: string; readonly turn_id: string; readonly step: number } & (
  | (Attempt & { readonly kind: "request"; readonly request: Omit<ModelRequest, "signal"> })
  | (Attempt & { readonly kind: "response"; readonly response: LoggedResponse })
  | (NamedCall & { readonly kind: "tool-call"; readonly input: JsonObject })
  | (NamedCall & { readonly kind: "tool-result"; readonly outcome: ToolOutcome; readonly content: string })
);

type Attempt = { readonly attempt: number; readonly model: string };

export interface LoggedResponse {
  readonly thinking?: string;
  readonly text: string;
  readonly end: ModelEnd | { readonly kind: "aborted" };
}

export type ReadLine =
  | { readonly kind: "line"; readonly number: number; readonly line: JsonObject }
  | { readonly kind: "unreadable"; readonly number: number; readonly text: string };

export class CommsLogError extends Error {
  readonly code: "unwritable" | "invalid-thread";

  constructor(code: CommsLogError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "CommsLogError";
    this.code = code;
  }
}

const VERSION = 2;
/** If the last request is not within this many bytes, the next one is written whole. */
const SEARCHED = 4 * 1024 * 1024;
const NEWLINE = 0x0a;
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;

function appendLine(file: string, text: string): void {
  const handle = openSync(file, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    const { mode, size } = fstatSync(handle);
    if ((mode & 0o077) !== 0) fchmodSync(handle, 0o600);
    const bytes = Buffer.from(endsTorn(handle, size) ? `\n${text}` : text);
    const written = writeSync(handle, bytes);
    // Not continued: another process may have written in between, and half a line is useless.
    if (written !== bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes were written`);
  } finally {
    closeSync(handle);
  }
}

/** The last line with a request, searched from the end. */
function lastRequest(file: string): JsonObject | undefined {
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | O_NOFOLLOW);
  } catch {
    // It does not exist yet, or is not readable: `append` reports the problem.
    return undefined;
  }
  try {
    const { size } = fstatSync(handle);
    for (let length = 64 * 1024; ; length *= 4) {
      const searched = Math.min(length, size, SEARCHED);
      const bytes = Buffer.alloc(searched);
      readSync(handle, bytes, 0, searched, size - searched);
      const lines = bytes.toString("latin1").split("\n");
      // The first line may be cut off, unless it is the first of the file.
      if (searched < size) lines.shift();
      const found = lines.findLast((line) => line.includes('"kind":"request"'));
      const line = found === undefined ? undefined : parse(Buffer.from(found, "latin1").toString());
      if (line?.["kind"] === "request") return line;
      if (searched === size || searched === SEARCHED) return undefined;
    }
  } finally {
    closeSync(handle);
  }
}

function endsTorn(handle: number, size: number): boolean {
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  return readSync(handle, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
}

/** Splits only at line feeds: `readline` also splits at U+2028, which JSON does not escape. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  if (!handle) return;
  let pending: Buffer[] = [];
  for await (const chunk of handle.createReadStream() as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...pending, chunk.subarray(start, end)]).toString();
      pending = [];
      start = end + 1;
    }
    if (start < chunk.length) pending.push(chunk.subarray(start));
  }
  if (pending.length > 0) yield Buffer.concat(pending).toString();
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
