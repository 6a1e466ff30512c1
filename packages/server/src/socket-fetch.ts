import { request } from "node:http";
import { Readable } from "node:stream";

/** `fetch` over a socket file, for programs of the same user: they need no port. */
export function socketFetch(socket: string): typeof fetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { pathname, search, host } = new URL(String(input));
      const body = init.body === undefined || init.body === null ? undefined : String(init.body);
      const headers = new Headers(init.headers);
      headers.set("host", host);
      if (body !== undefined) headers.set("content-length", String(Buffer.byteLength(body)));
      const sent = request({
        socketPath: socket,
        path: pathname + search,
        method: init.method ?? "GET",
        headers: Object.fromEntries(headers),
        ...(init.signal ? { signal: init.signal } : {}),
      });
      sent.on("error", reject);
      sent.on("response", (response) => {
        const given = Object.entries(response.headers).map(
          ([name, value]) => [name, String(value)] as [string, string],
        );
        const stream = Readable.toWeb(response) as ReadableStream<Uint8Array>;
        resolve(new Response(stream, { status: response.statusCode ?? 500, headers: given }));
      });
      sent.end(body);
    });
}
