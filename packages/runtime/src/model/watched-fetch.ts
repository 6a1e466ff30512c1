/**
 * `fetch` that notices when nothing arrives any more: neither an answer, nor another byte of it. Bytes count and not
 * words, because a model that thinks long sends signs of life and no text. The reader of the answer gets a
 * `StalledError`, and the connection is closed.
 */
export function watchedFetch(idleMilliseconds: number): typeof fetch {
  return async (input, init) => {
    const stalled = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const rest = () => clearTimeout(timer);
    const wait = () => {
      rest();
      timer = setTimeout(() => stalled.abort(new StalledError(idleMilliseconds)), idleMilliseconds);
    };
    wait();
    try {
      const signal = init?.signal ? AbortSignal.any([init.signal, stalled.signal]) : stalled.signal;
      const response = await fetch(input, { ...init, signal });
      wait();
      if (!response.body) {
        rest();
        return response;
      }
      return new Response(watched(response.body, wait, rest), {
        status: response.status,
        statusText: response.statusText,
        headers: response.headers,
      });
    } catch (error) {
      rest();
      throw stalled.signal.aborted ? stalled.signal.reason : error;
    }
  };
}

export class StalledError extends Error {
  constructor(idleMilliseconds: number) {
    super(`Nothing arrived for ${idleMilliseconds / 1000} s.`);
    this.name = "StalledError";
  }
}

function watched(body: ReadableStream<Uint8Array>, wait: () => void, rest: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          wait();
          const { done, value } = await reader.read();
          rest();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          rest();
          controller.error(error);
        }
      },
      async cancel(reason) {
        rest();
        await reader.cancel(reason);
      },
    },
    // Nothing is read ahead, so that the reader's own time does not count as the model's.
    { highWaterMark: 0 },
  );
}
