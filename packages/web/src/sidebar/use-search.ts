import { useEffect, useState } from "react";
import { client } from "../data/connection.ts";
import { messageOf } from "../data/session.ts";

export type FoundThread = Awaited<ReturnType<typeof client.searchThreads>>["threads"][number];

interface Found {
  readonly threads: readonly FoundThread[] | undefined;
  readonly failure: string | undefined;
}

const NOTHING: Found = { threads: undefined, failure: undefined };

/** Searches all threads when the typing pauses. */
export function useSearch(words: string): Found {
  const [found, setFound] = useState(NOTHING);
  useEffect(() => {
    if (words.trim() === "") return setFound(NOTHING);
    const stop = new AbortController();
    const timer = setTimeout(() => {
      client
        .searchThreads({ words, limit: 20 }, { signal: stop.signal })
        .then(({ threads }) => setFound({ threads, failure: undefined }))
        .catch((error) => !stop.signal.aborted && setFound({ threads: undefined, failure: messageOf(error) }));
    }, 200);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [words]);
  return found;
}
