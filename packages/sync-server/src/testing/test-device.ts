import { createHash, randomBytes, randomUUID } from "node:crypto";
import {
  encodePack,
  type PackedBlob,
  type Segment,
  type SegmentOperation,
  type SyncAnswer,
  type SyncCall,
  type SyncInput,
  type SyncOutcome,
  syncOutcome,
  syncRequest,
} from "@retake/core/sync";

/** A device as the server sees one: it sends calls over HTTP, and encrypts nothing. */
export class TestDevice {
  readonly url: string;
  token = randomBytes(32).toString("hex");
  readonly publicKey = randomBytes(32).toString("base64");
  kid = KID;
  vault = "";
  device = "";
  seen: string[] = [];

  constructor(url: string) {
    this.url = url;
  }

  get facts() {
    return { name: "laptop", public_key: this.publicKey, token_hash: sha256(Buffer.from(this.token, "hex")) };
  }

  /** Uses an invitation; the first device of a vault sets its key. */
  async join(invitation: string): Promise<this> {
    const joined = await this.ask("join", { invitation, device: this.facts });
    Object.assign(this, { vault: joined.vault, device: joined.device });
    if (joined.kid === null) await this.ask("changeKey", firstKey(this.vault, this.kid));
    return this;
  }

  async call<C extends SyncCall>(
    call: C,
    input: SyncInput<C>,
    options: {
      readonly token?: string | null;
      readonly headers?: Record<string, string>;
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<SyncOutcome<C>> {
    const { method, path, headers, body } = syncRequest(call, input);
    const token = options.token === undefined ? this.token : options.token;
    const response = await fetch(this.url + path, {
      method,
      headers: { ...headers, ...(token !== null && { authorization: `Bearer ${token}` }), ...options.headers },
      ...(body !== undefined && { body: body as BodyInit }),
      ...(options.signal && { signal: options.signal }),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const isBytes = response.headers.get("content-type") === "application/octet-stream";
    return syncOutcome(call, {
      status: response.status,
      body: isBytes ? bytes : JSON.parse(Buffer.from(bytes).toString()),
      retry_after: response.headers.get("retry-after"),
    });
  }

  /** As `call`, for calls that must not be refused. */
  async ask<C extends SyncCall>(call: C, input: SyncInput<C>): Promise<SyncAnswer<C>> {
    const outcome = await this.call(call, input);
    if (outcome.kind !== "answer") throw new Error(`${call}: ${JSON.stringify(outcome)}`);
    return outcome.answer;
  }

  register(thread: string) {
    const { vault, kid, seen } = this;
    return this.call("registerThread", { vault, thread, kid, seen, wrapped_key: "AAAA" });
  }

  push(thread: string, operations: readonly SegmentOperation[], more: Partial<Segment["envelope"]> = {}) {
    const { vault, seen } = this;
    return this.call("pushSegment", { vault, thread, seen, segment: this.segment(thread, operations, more) });
  }

  pull(thread: string, after = 0) {
    const { vault, seen } = this;
    return this.call("pullSegments", { vault, thread, seen, after });
  }

  changes(since?: string, wait = 0, signal?: AbortSignal) {
    const { vault, seen } = this;
    const input = { vault, seen, wait, ...(since !== undefined && { since }) };
    return this.call("listChanges", input, signal ? { signal } : {});
  }

  putPack(blobs: readonly PackedBlob[], pack: string = randomUUID()) {
    const bytes = encodePack(blobs);
    return this.call("putPack", { vault: this.vault, pack, kid: this.kid, digest: sha256(bytes), bytes });
  }

  share(thread: string, text: string, share = randomBytes(16).toString("hex")) {
    const bytes = new Uint8Array(Buffer.from(text));
    return this.call("putShare", { vault: this.vault, thread, share, readers: "link", digest: sha256(bytes), bytes });
  }

  segment(thread: string, operations: readonly SegmentOperation[], more: Partial<Segment["envelope"]> = {}): Segment {
    const body = Buffer.from(`body of ${operations.map(({ id }) => id)}`);
    const envelope = {
      format: "retake-segment" as const,
      format_version: 1,
      id: randomUUID(),
      vault: this.vault,
      thread,
      device: this.device,
      kid: this.kid,
      operations,
      blobs: [],
      size: body.length,
      digest: sha256(body),
      ...more,
    };
    return { envelope, body: body.toString("base64") };
  }
}

export const KID = "a1".repeat(32);

export function firstKey(vault: string, kid: string) {
  return {
    vault,
    previous: null,
    kid,
    recovery_hash: sha256(Buffer.from(recoverySecret(vault), "hex")),
    threads: [],
    devices: [],
  };
}

/** The secret that a test uses for the recovery words of a vault. */
export function recoverySecret(vault: string): string {
  return sha256(Buffer.from(vault));
}

export function operation(id: string, ...parents: readonly string[]): SegmentOperation {
  return { id, tag: sha256(Buffer.from(id)).slice(0, 32), parents };
}

export function blob(text: string): PackedBlob {
  return { name: sha256(Buffer.from(text)), bytes: Buffer.from(text) };
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
