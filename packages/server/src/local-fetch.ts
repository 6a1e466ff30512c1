import type { Runtime } from "@retake/runtime";
import { Logins } from "./access/logins.ts";
import { createRouter } from "./create-app.ts";

/** `fetch` without a server: the routes of this process, for its own client. `root` is meant where no directory is named. */
export function localFetch(runtime: Runtime, root: string): typeof fetch {
  const closing = new AbortController().signal;
  const onFailure = (_: string, error: unknown) => {
    throw error;
  };
  // Nobody signs in to a process of their own.
  const logins = new Logins(runtime.store.now, () => undefined);
  const router = createRouter({ runtime, root, logins, closing, onFailure });
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    if (typeof init.body === "string") headers.set("content-length", String(Buffer.byteLength(init.body)));
    return router.fetch(new Request(String(input), { ...init, headers }));
  };
}
