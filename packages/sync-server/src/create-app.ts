import {
  changeOf,
  decideAccess,
  refusalBody,
  refuseSync,
  SYNC_REFUSALS,
  SYNC_ROUTES,
  type SyncAnswer,
  type SyncCall,
  type SyncInput,
  type SyncRefusal,
  type SyncRoute,
  syncInput,
  VERSION_HEADER,
} from "@retake/core/sync";
import { type Context, Hono } from "hono";
import type { Call, Caller, SyncStorage } from "./calls/call.ts";
import { hashOf } from "./calls/join.ts";
import { CALLS } from "./calls.ts";
import { Metrics } from "./metrics.ts";
import { readSyncBody } from "./read-body.ts";
import { addReaderPage } from "./reader-page.ts";
import { VaultGoneError } from "./storage/vault-rows.ts";
import { TokenBuckets } from "./token-buckets.ts";
import type { WaitingDevices } from "./waiting-devices.ts";

/** One line of the log: what was asked and how it ended. Nothing that was sent is in it. */
export interface LogLine {
  readonly time: string;
  readonly call: string;
  readonly code: string;
  readonly ms: number;
  readonly vault?: string;
  readonly device?: string;
  /** Of our own failures only. */
  readonly error?: string;
}

export interface AppOptions {
  readonly storage: SyncStorage;
  readonly waiting: WaitingDevices;
  readonly log: (line: LogLine) => void;
  readonly limits?: Partial<Readonly<Record<keyof typeof LIMITS, Rate>>>;
  /** The directory of the page that shows shared threads; without one there is no such page. */
  readonly pages?: string;
}

interface Rate {
  readonly burst: number;
  readonly per_second: number;
}

const LIMITS = {
  device: { burst: 600, per_second: 60 },
  vault: { burst: 3000, per_second: 300 },
  /** Requests without a device, of all addresses together: guessing codes and invitations is slow. */
  stranger: { burst: 60, per_second: 5 },
  /** Readers of shares, of all addresses together: a link that many open must not keep devices from joining. */
  reader: { burst: 1000, per_second: 100 },
};

/**
 * The server as a function of requests: version and token (who), limits (how often), form (what), then the call.
 * Every route of the protocol goes this one way, and every other request is refused.
 */
export function createApp(options: AppOptions): Hono {
  const app = new Hono();
  const { storage } = options;
  const metrics = new Metrics({ waiting_devices: () => options.waiting.count });
  const server = new SyncApp(options, metrics);
  app.get("/health", (context) => context.json({ status: "ok" }));
  app.get("/ready", async (context) => {
    await storage.database.read("SELECT count(*) AS count FROM vaults WHERE vault = ?", [""]);
    await storage.packs.check();
    return context.json({ status: "ready" });
  });
  app.get("/metrics", (context) => context.text(metrics.text()));
  if (options.pages !== undefined) addReaderPage(app, options.pages);
  for (const call of Object.keys(SYNC_ROUTES) as SyncCall[]) {
    const { method, path } = SYNC_ROUTES[call];
    app.on(method, path.replaceAll(/\{(\w+)\}/g, ":$1"), (context) => server.answer(call, context));
  }
  app.notFound((context) => context.json(refusalBody(refuseSync("not-found", "There is no such route.")), 404));
  app.onError((_, context) => context.json(refusalBody(refuseSync("unavailable", "The server is not ready.")), 503));
  return app;
}

class SyncApp {
  readonly #options: AppOptions;
  readonly #metrics: Metrics;
  readonly #buckets: Readonly<Record<keyof typeof LIMITS, TokenBuckets>>;

  constructor(options: AppOptions, metrics: Metrics) {
    this.#options = options;
    this.#metrics = metrics;
    const { device, vault, stranger, reader } = { ...LIMITS, ...options.limits };
    this.#buckets = {
      device: new TokenBuckets(device),
      vault: new TokenBuckets(vault),
      stranger: new TokenBuckets(stranger),
      reader: new TokenBuckets(reader),
    };
  }

  async answer(call: SyncCall, context: Context): Promise<Response> {
    const begun = performance.now();
    const who: { vault?: string; device?: string } = {};
    let error: string | undefined;
    const result = await this.#carryOut(call, context, who).catch((cause: unknown) => {
      if (cause instanceof VaultGoneError) return refuseSync("not-found", "There is no such vault.");
      error = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
      return refuseSync("server-failure", "The server failed. Try again later.");
    });
    const refusal = isSyncRefusal(result) ? result : undefined;
    const ms = performance.now() - begun;
    const code = refusal?.code ?? "ok";
    this.#metrics.count(call, code, ms / 1000);
    const time = new Date(this.#options.storage.now()).toISOString();
    this.#options.log({ time, call, code, ms: Math.round(ms), ...who, ...(error !== undefined && { error }) });
    if (refusal) return refuseWith(context, refusal);
    if (result instanceof Uint8Array) return context.body(result as Uint8Array<ArrayBuffer>, 200, BYTES);
    return context.json(result as object, 200, FRESH);
  }

  async #carryOut(
    call: SyncCall,
    context: Context,
    who: { vault?: string; device?: string },
  ): Promise<SyncAnswer<SyncCall> | SyncRefusal> {
    const route: SyncRoute = SYNC_ROUTES[call];
    const { refusal, caller, vault } = await this.#identify(route, context);
    if (refusal) return refusal;
    if (caller.device) Object.assign(who, { vault, device: caller.device });
    const wait = this.#limit(call, caller, vault);
    if (wait > 0) return refuseSync("too-many-requests", "Too many requests.", { retry_after_ms: wait });
    const read = await readSyncBody(call, context.req.raw);
    if (read.kind === "refused") return read;
    const input = syncInput(call, { path: context.req.param(), query: context.req.query(), body: read.body });
    const problem = route.input(input);
    if (problem !== undefined)
      return refuseSync("invalid-request", `The request ${problem.replace(/^\./, "")}. Nothing was stored.`);
    if (call === "listChanges") return this.#listChanges(input as SyncInput<"listChanges">, caller, context);
    return (CALLS[call] as Call<SyncCall>)(this.#options.storage, input as SyncInput<SyncCall>, caller);
  }

  /** Finds the sender of a request, or the reason why it is not let in. */
  async #identify(route: SyncRoute, context: Context) {
    const { database, now } = this.#options.storage;
    const token = /^Bearer ([0-9a-f]{64})$/.exec(context.req.header("authorization") ?? "")?.[1];
    const token_hash = token === undefined ? "" : hashOf(Buffer.from(token, "hex"));
    const vault = context.req.param("vault") ?? "";
    const found =
      token_hash !== "" && route.access === "device"
        ? await database.read<DeviceRow>(
            "SELECT vault, device, seen_at, revoked_at FROM devices WHERE token_hash = ?",
            [token_hash],
          )
        : [];
    const [device] = found;
    const refusal = decideAccess({
      access: route.access,
      version: context.req.header(VERSION_HEADER),
      token: token !== undefined,
      device: device && { vault: device.vault, revoked: device.revoked_at !== null },
      vault,
    });
    if (!refusal && device && Math.abs(now() - device.seen_at) > SEEN_MS)
      await database.inVault(vault, (sql) =>
        sql.run("UPDATE devices SET seen_at = ? WHERE vault = ? AND device = ?", [now(), vault, device.device]),
      );
    const caller: Caller = { token_hash, device: device?.device ?? "" };
    return { refusal, caller, vault };
  }

  /** How long the sender has to wait; 0: not at all. */
  #limit(call: SyncCall, { device }: Caller, vault: string): number {
    const now = this.#options.storage.now();
    if (call === "readShare") return this.#buckets.reader.take("", now);
    if (device === "") return this.#buckets.stranger.take("", now);
    return this.#buckets.device.take(device, now) || this.#buckets.vault.take(vault, now);
  }

  /** Holds back an answer without changes until there is one. */
  async #listChanges(input: SyncInput<"listChanges">, caller: Caller, context: Context) {
    const { storage, waiting } = this.#options;
    const first = await CALLS.listChanges(storage, input, caller);
    if (isSyncRefusal(first) || first.threads.length > 0 || !input.wait) return first;
    await waiting.wait(input.vault, changeOf(first.next), input.wait * 1000, context.req.raw.signal);
    // The device may have been revoked meanwhile.
    const { refusal } = await this.#identify(SYNC_ROUTES.listChanges, context);
    return refusal ?? CALLS.listChanges(storage, input, caller);
  }
}

interface DeviceRow {
  readonly vault: string;
  readonly device: string;
  readonly seen_at: number;
  readonly revoked_at: number | null;
}

/** When a device was last seen is written once an hour, and after the clock was set back. */
const SEEN_MS = 3_600_000;
const FRESH = { "cache-control": "no-store" };
const BYTES = { ...FRESH, "content-type": "application/octet-stream" };

function refuseWith(context: Context, refusal: SyncRefusal): Response {
  const seconds = Math.ceil((refusal.details?.retry_after_ms ?? 0) / 1000);
  return context.json(refusalBody(refusal), SYNC_REFUSALS[refusal.code] as 400, {
    ...FRESH,
    ...(seconds > 0 && { "retry-after": String(seconds) }),
  });
}

function isSyncRefusal(value: unknown): value is SyncRefusal {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "refused";
}
