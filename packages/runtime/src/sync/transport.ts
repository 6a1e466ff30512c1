import { setTimeout as sleep } from "node:timers/promises";
import {
  SYNC_LIMITS,
  SYNC_ROUTES,
  type SyncCall,
  type SyncInput,
  type SyncOutcome,
  type SyncRoute,
  syncOutcome,
  syncRequest,
} from "@retake/core/sync";

/** Makes calls of the sync protocol. It never throws: no answer is an outcome too. */
export type SyncTransport = <C extends SyncCall>(
  call: C,
  input: SyncInput<C>,
  signal?: AbortSignal,
) => Promise<SyncOutcome<C>>;

/** The longest time for a call. A server that has a connection and says nothing must not hold up sync for ever. */
const LONGEST_CALL_MS = 60_000;
/** The shortest pause after too many requests: there is room for several by then. */
const SHORTEST_PAUSE_MS = 250;

export function httpTransport(url: string, token?: string): SyncTransport {
  const base = url.replace(/\/+$/, "");
  const once = async <C extends SyncCall>(
    call: C,
    input: SyncInput<C>,
    signal: AbortSignal | undefined,
    isRepeated = false,
  ): Promise<SyncOutcome<C>> => {
    const { method, path, headers, body } = syncRequest(call, input);
    const wait = "wait" in input && typeof input.wait === "number" ? input.wait * 1000 : 0;
    const limit = AbortSignal.timeout(LONGEST_CALL_MS + wait);
    try {
      const response = await fetch(base + path, {
        method,
        headers: token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body: body as BodyInit }),
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        redirect: "error",
      });
      const route: SyncRoute = SYNC_ROUTES[call];
      const bytes = await bodyOf(response);
      const isBytes = response.status === 200 && route.bytes === "answer";
      return syncOutcome(call, {
        status: response.status,
        body: isBytes ? bytes : parse(bytes),
        retry_after: response.headers.get("retry-after"),
      });
    } catch (error) {
      if (isClosed(error) && !isRepeated) return once(call, input, signal, true);
      return { kind: "no-answer", message: reasonOf(error, base) };
    }
  };
  return async (call, input, signal) => {
    for (let waited = 0; ; ) {
      const outcome = await once(call, input, signal);
      const pause = pauseAfter(outcome);
      if (pause === undefined || waited + pause > LONGEST_CALL_MS) return outcome;
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      if (signal?.aborted) return outcome;
      waited += pause;
    }
  };
}

/**
 * A server that gets too many requests says when there is room for more. To wait for that is part of the call: the first sync of
 * several hundred threads meets the limit, and none of them has failed.
 */
function pauseAfter(outcome: SyncOutcome<SyncCall>): number | undefined {
  if (outcome.kind !== "refused" || outcome.code !== "too-many-requests") return undefined;
  return Math.max(outcome.details?.retry_after_ms ?? 0, SHORTEST_PAUSE_MS);
}

/** More than any valid answer has: segments in base64 within JSON. */
const LARGEST_ANSWER = 2 * (SYNC_LIMITS.segment_bytes + SYNC_LIMITS.pull_bytes);

async function bodyOf(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > LARGEST_ANSWER) throw new Error("the answer is larger than can be");
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}

/**
 * A server ends connections that nobody has used for some seconds. A process that stored much meanwhile hears of that when it has
 * sent the next request. Every call can be repeated.
 */
function isClosed(error: unknown): boolean {
  const { code } = (error as { readonly cause?: { readonly code?: string } }).cause ?? {};
  return code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE";
}

function reasonOf(error: unknown, base: string): string {
  const { name, message, cause } = error as Error & { readonly cause?: { readonly code?: string; message?: string } };
  if (name === "TimeoutError") return `${base} did not answer in time.`;
  return `${base} cannot be reached: ${cause?.code ?? cause?.message ?? message}.`;
}
