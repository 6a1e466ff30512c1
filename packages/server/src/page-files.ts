/**
 * The files of the web UI, read from the directory that the build made. They are served to signed-in browsers only, like
 * everything else. Files in `assets/` have a hash of their content in their name, so a browser keeps them for ever.
 */
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";

export class PageFiles {
  readonly #folder: string;
  /** Listed at the start: a path from a request never reaches the file system unless it is one of these. */
  readonly #files: ReadonlySet<string>;

  constructor(folder: string) {
    this.#folder = folder;
    this.#files = new Set(filesIn(folder));
  }

  /** Whether a path is a screen of the page, which `index.html` shows. */
  isScreen(path: string): boolean {
    return path === "/" || path === "/search" || path.startsWith("/t/");
  }

  /** The answer for a path; undefined when there is no such file. */
  answer(path: string): Response | undefined {
    if (this.isScreen(path)) return this.#page();
    const name = path.slice(1);
    const type = TYPES[extname(name)];
    if (!this.#files.has(name) || type === undefined || name === "index.html") return undefined;
    return new Response(new Uint8Array(readFileSync(join(this.#folder, name))), {
      headers: {
        "content-type": type,
        "cache-control": name.startsWith("assets/") ? "private, max-age=31536000, immutable" : "private, max-age=3600",
        // A worker has the policy of its own file.
        "content-security-policy": "default-src 'none'; connect-src 'self'; script-src 'self'",
      },
    });
  }

  #page(): Response {
    const nonce = randomBytes(16).toString("base64");
    const html = readFileSync(join(this.#folder, "index.html"), "utf8").replaceAll("__NONCE__", nonce);
    return new Response(html, {
      headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": pagePolicy(nonce) },
    });
  }
}

/**
 * No inline script, no eval, no other host. Styles that libraries insert carry the nonce. Text becomes HTML in one place
 * only, the sanitiser, whose policy is named here.
 */
function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "worker-src 'self'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types dompurify retake-worker",
  ].join("; ");
}

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".png": "image/png",
  ".html": "text/html; charset=utf-8",
};

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((each) =>
    each.isFile() ? [relative(folder, join(each.parentPath, each.name)).split(sep).join("/")] : [],
  );
}
