/** `fetch` for answers that are streams of events: another successful answer fails with its beginning. */
export function eventStreamFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.ok || !response.body) return response;
    const { status, statusText, headers } = response;
    return new Response(events(response.body), { status, statusText, headers });
  };
}

/** An address that is no model's often answers 200 with a page or a JSON value, for instance that of a sign-in. */
export class NoEventStreamError extends Error {
  constructor(beginning: string) {
    super(`It answered with this, and not with a stream of events: ${beginning}`);
    this.name = "NoEventStreamError";
  }
}

/** The most characters of another answer that are read. */
const MOST = 2000;

function events(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let beginning = "";
  let isStream = false;
  return new ReadableStream(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read();
          if (!isStream) {
            beginning += decoder.decode(value, { stream: !done });
            // By its first character: servers name all kinds of content types.
            const isOther = /^\s*[<{[]/.test(beginning);
            if (isOther && !done && beginning.length < MOST) continue;
            if (isOther) {
              await reader.cancel();
              throw new NoEventStreamError(beginning.slice(0, MOST));
            }
            isStream = beginning.trim() !== "";
          }
          if (done) controller.close();
          else controller.enqueue(value);
          return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // As in `watchedFetch`, nothing is read ahead.
    { highWaterMark: 0 },
  );
}
