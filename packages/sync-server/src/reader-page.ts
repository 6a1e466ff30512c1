import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { Hono } from "hono";

/**
 * The page that shows shared threads (`packages/web/src/reader`). It is the same for every share: the browser fetches the
 * encrypted body and has the key in the fragment of the address, which it sends to nobody.
 */
export function addReaderPage(app: Hono, folder: string): void {
  const assets = join(folder, "assets");
  // Read at the start: no path of a request reaches the file system.
  const files = new Map(readdirSync(assets).map((name) => [name, join(assets, name)]));
  // Below the address of the server, which may have a path of its own behind a proxy.
  const html = readFileSync(join(folder, "reader.html"), "utf8").replaceAll(/(src|href)="\/(?=\w)/g, '$1="../');
  app.get("/s/:share", (context) => context.html(html, 200, { ...HEADERS, "content-security-policy": POLICY }));
  app.get("/icon.svg", () => fileResponse(join(folder, "icon.svg")));
  app.get("/assets/:name", (context) => {
    const file = files.get(context.req.param("name"));
    return file === undefined ? context.notFound() : fileResponse(file);
  });
}

/** No inline script or style, no other host, no frame; text becomes HTML in the sanitiser only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types dompurify",
].join("; ");

const HEADERS = {
  "cache-control": "no-cache",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

function fileResponse(file: string): Response {
  const type = TYPES[extname(file)];
  if (type === undefined) return new Response(null, { status: 404 });
  return new Response(new Uint8Array(readFileSync(file)), {
    headers: {
      ...HEADERS,
      "content-type": type,
      "cache-control": file.endsWith("icon.svg") ? "max-age=3600" : "max-age=31536000, immutable",
      "content-security-policy": "default-src 'none'",
    },
  });
}
