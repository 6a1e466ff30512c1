import type { RequestError } from "./request-error.ts";

export function jsonResponse(status: number, body: string): Response {
  return new Response(body, { status, headers: { "content-type": "application/json" } });
}

export function errorResponse({ status, code, message, details }: RequestError): Response {
  return jsonResponse(status, JSON.stringify({ error: { code, message, ...(details ? { details } : {}) } }));
}

/** What every answer says: nothing is kept by caches, guessed by browsers, or shown inside other pages. */
export function withSafety(response: Response): Response {
  const { headers } = response;
  for (const [name, value] of SAFE) if (!headers.has(name)) headers.set(name, value);
  return response;
}

const SAFE: readonly (readonly [string, string])[] = [
  ["cache-control", "no-store"],
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
  ["referrer-policy", "no-referrer"],
  ["cross-origin-resource-policy", "same-origin"],
  ["cross-origin-opener-policy", "same-origin"],
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"],
];
