import { createHash } from "node:crypto";
import type { Runtime } from "@retake/runtime";
import { type Logins, SESSION_MS } from "./access/logins.ts";

/** The page of the server: it runs, or how to sign in. */
export function statusPage(runtime: Runtime | undefined): Response {
  if (!runtime) return page(401, "Not signed in", "Run <code>retake web</code> and open the link that it prints.");
  const count = runtime.threads().length;
  return page(
    200,
    "Retake is running",
    `Version ${runtime.store.version}, ${count} ${count === 1 ? "thread" : "threads"}.`,
  );
}

/** Exchanges the code of a link for the cookie, and leads to our own page from our own page: only then is it sent. */
export function loginPage(
  options: { readonly logins: Logins; readonly cookie: () => string; readonly scheme: string },
  code: string | undefined,
  purpose: string | undefined,
): Response {
  // A browser that looks ahead would use the code up before anyone has clicked.
  const session = purpose?.includes("prefetch") ? undefined : options.logins.exchange(code ?? "");
  if (session === undefined)
    return page(401, "This link is not good any more", "Run <code>retake web</code> again for a new one.");
  const response = page(200, "Signed in", '<a href="/">Go on</a>', '<meta http-equiv="refresh" content="0; url=/">');
  const secure = options.scheme === "https" ? "; Secure" : "";
  const age = Math.floor(SESSION_MS / 1000);
  response.headers.set(
    "set-cookie",
    `${options.cookie()}=${session}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure}`,
  );
  return response;
}

const STYLE =
  ":root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:15vh auto;max-width:32rem;padding:0 1rem}";
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

function page(status: number, title: string, text: string, head = ""): Response {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}<style>${STYLE}</style></head><body><h1>${title}</h1><p>${text}</p></body></html>`;
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    },
  });
}
