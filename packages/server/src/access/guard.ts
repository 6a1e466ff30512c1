/**
 * Decides which requests are let in. Every request passes here before anything else looks at it, and is refused unless
 * a line below allows it. The server runs commands for its clients, so the guard trusts nothing that a web page on the
 * same machine can send:
 *
 *   Host            ours, so that a name that was rebound to this address leads nowhere
 *   Origin, Fetch   our own page or no page at all
 *   Bearer token    programs of this user (never from the URL)
 *   cookie          a browser that was signed in; changes only from our own page
 */
import type { Logins } from "./logins.ts";
import type { TokenFile } from "./token-file.ts";

export interface RequestFacts {
  readonly method: string;
  readonly path: string;
  readonly header: (name: string) => string | undefined;
  /** Answered to anyone. */
  readonly open: boolean;
}

export type Verdict =
  | { readonly kind: "allowed"; readonly by: "token" | "cookie" | "anyone" }
  | { readonly kind: "denied"; readonly status: 401 | 403; readonly code: string; readonly message: string };

export interface GuardOptions {
  readonly token: TokenFile;
  readonly logins: Logins;
  /** The allowed values of `Host`. */
  readonly hosts: () => ReadonlySet<string>;
  readonly scheme: "http" | "https";
  readonly cookie: () => string;
}

export class Guard {
  readonly #options: GuardOptions;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  judge(seen: RequestFacts): Verdict {
    const { header, method } = seen;
    const host = header("host")?.toLowerCase();
    if (host === undefined || !this.#options.hosts().has(host)) return WRONG_HOST;
    const origin = header("origin");
    const ours = `${this.#options.scheme}://${host}`;
    if (origin !== undefined && origin !== ours) return WRONG_ORIGIN;
    const site = header("sec-fetch-site");
    // A sign-in link may stand on any page: its code works once, for anyone who has it.
    const link = seen.path === "/login" && method === "GET" && header("sec-fetch-mode") === "navigate";
    if (site !== undefined && site !== "same-origin" && site !== "none" && !link) return WRONG_ORIGIN;
    if (seen.open) return { kind: "allowed", by: "anyone" };
    const bearer = /^Bearer ([\w~+/.=-]{1,512})$/i.exec(header("authorization") ?? "")?.[1];
    if (bearer !== undefined) return this.#options.token.matches(bearer) ? { kind: "allowed", by: "token" } : UNKNOWN;
    if (!this.#signedIn(header("cookie"))) return UNKNOWN;
    const reads = method === "GET" || method === "HEAD";
    if (!reads && origin !== ours && site !== "same-origin") return WRONG_ORIGIN;
    return { kind: "allowed", by: "cookie" };
  }

  #signedIn(cookies: string | undefined): boolean {
    const name = this.#options.cookie();
    const values = (cookies ?? "").split(";").map((each) => each.trim().split("="));
    return values.some(([key, value]) => key === name && value !== undefined && this.#options.logins.isSignedIn(value));
  }
}

const UNKNOWN: Verdict = {
  kind: "denied",
  status: 401,
  code: "unauthorized",
  message: "Send the token of state/token as 'Authorization: Bearer <token>', or sign in with the link of retake web.",
};

const WRONG_HOST: Verdict = {
  kind: "denied",
  status: 403,
  code: "wrong-host",
  message: "This server is not called so. Use the address that retake serve prints.",
};

const WRONG_ORIGIN: Verdict = {
  kind: "denied",
  status: 403,
  code: "wrong-origin",
  message: "Requests of other pages are not answered.",
};
