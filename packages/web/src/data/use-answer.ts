import { useCallback, useEffect, useRef, useState } from "react";
import { channel } from "./connection.ts";
import { isUnreachable, messageOf } from "./session.ts";

/** An answer of the server for a part of the screen: not the thread itself, which events keep up to date. */
export interface Asked<Answer> {
  /** The last answer; while another is asked for, the one before. */
  readonly answer: Answer | undefined;
  /** Why there is none, in the server's words. */
  readonly failure: string | undefined;
  readonly asking: boolean;
  readonly again: () => void;
}

/**
 * Asks when the screen part appears and whenever a key changes. An answer that comes late is dropped. While the server cannot
 * be reached, which the connection bar says, the last answer stays; it is asked for again as soon as the server is back.
 */
export function useAnswer<Answer>(ask: () => Promise<Answer>, keys: readonly unknown[]): Asked<Answer> {
  const [state, setState] = useState<Omit<Asked<Answer>, "again">>({
    answer: undefined,
    failure: undefined,
    asking: true,
  });
  const [round, setRound] = useState(0);
  const latest = useRef(ask);
  latest.current = ask;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys say when to ask again
  useEffect(() => {
    let wanted = true;
    let end = () => {};
    setState((before) => ({ ...before, asking: true }));
    latest.current().then(
      (answer) => wanted && setState({ answer, failure: undefined, asking: false }),
      (error: unknown) => {
        if (!wanted) return;
        if (!isUnreachable(error)) setState({ answer: undefined, failure: messageOf(error), asking: false });
        else
          end = channel.onConnection(() => {
            if (channel.connection === "live") setRound((before) => before + 1);
          });
      },
    );
    return () => {
      wanted = false;
      end();
    };
  }, [...keys, round]);
  const again = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, again };
}
