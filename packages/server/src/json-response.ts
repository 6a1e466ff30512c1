import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { RequestError } from "./request-error.ts";

/**
 * Answers with JSON, written at once: a `Response` with a text is read back through a stream, which costs more than all
 * else of a short answer.
 */
export function sendJson(outgoing: ServerResponse | undefined, status: number, body: string): Response {
  if (!outgoing) return new Response(body, { status, headers: JSON_HEADERS });
  outgoing.writeHead(status, { ...JSON_HEADERS, "content-length": Buffer.byteLength(body) });
  outgoing.end(body);
  return RESPONSE_ALREADY_SENT;
}

/** The same of bytes that are there already; nothing but that, where the reader has them. */
export function sendCached(
  outgoing: ServerResponse | undefined,
  body: Buffer,
  etag: string,
  known: string | undefined,
): Response {
  if (!outgoing) return new Response(new Uint8Array(body), { headers: { ...JSON_HEADERS, etag } });
  if (known?.split(",").some((each) => each.trim().replace(/^W\//, "") === etag))
    outgoing.writeHead(304, { ...SAFE, etag }).end();
  else outgoing.writeHead(200, { ...JSON_HEADERS, etag, "content-length": body.length }).end(body);
  return RESPONSE_ALREADY_SENT;
}

export function errorResponse({ status, code, message, details }: RequestError): Response {
  const body = JSON.stringify({ error: { code, message, ...(details ? { details } : {}) } });
  return new Response(body, { status, headers: JSON_HEADERS });
}

/** Sets the headers of every answer: caches keep nothing, browsers guess nothing, other pages embed nothing. */
export function makeSafe({ headers }: Response): void {
  for (const [name, value] of Object.entries(SAFE)) if (!headers.has(name)) headers.set(name, value);
}

const SAFE = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
};

const JSON_HEADERS = { "content-type": "application/json", ...SAFE };
