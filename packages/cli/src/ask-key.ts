/**
 * One key as the answer to a question. Only a key that is pressed after the question is on the screen counts: keys that were pressed
 * before, and text that is pasted, are never taken for an answer.
 */
import type { Terminal } from "./world.ts";

export interface KeyAnswer {
  /** One of the keys that were offered; `interrupt` for Ctrl+C, `end` for Ctrl+D or a terminal that is gone. */
  readonly key: string;
  /** What was typed before the question was shown. */
  readonly typed: string;
}

/** A terminal that has been silent for so long has delivered all keys that were pressed before. */
const SILENCE_MS = 40;

/** `show` prints the question. Rejects when `signal` is aborted. */
export async function askKey(
  { input }: Terminal,
  keys: string,
  show: () => void,
  signal?: AbortSignal,
): Promise<KeyAnswer> {
  input.setRawMode?.(true);
  let typed = "";
  let heard = (_: string): void => {};
  const onData = (chunk: Buffer | string) => heard(chunk.toString());
  const ended = Promise.withResolvers<KeyAnswer>();
  const onEnd = () => ended.resolve({ key: "end", typed });
  const onAbort = () => ended.reject(signal?.reason);
  input.on("data", onData);
  input.once("end", onEnd);
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();
  input.resume();
  try {
    const silent = new Promise<void>((resolve) => {
      let timer = setTimeout(resolve, SILENCE_MS);
      heard = (text) => {
        typed += text;
        clearTimeout(timer);
        timer = setTimeout(resolve, SILENCE_MS);
      };
    });
    const early = await Promise.race([silent, ended.promise]);
    if (early) return early;
    show();
    const answered = new Promise<KeyAnswer>((resolve) => {
      heard = (text) => {
        const key = keyOf(text, keys);
        if (key !== undefined) resolve({ key, typed });
      };
    });
    return await Promise.race([answered, ended.promise]);
  } finally {
    signal?.removeEventListener("abort", onAbort);
    input.off("data", onData);
    input.off("end", onEnd);
    input.pause();
    input.setRawMode?.(false);
  }
}

/** Several characters at once are a paste, but for a key and the Enter after it. */
function keyOf(text: string, keys: string): string | undefined {
  if (text.startsWith("\u0003")) return "interrupt";
  if (text.startsWith("\u0004")) return "end";
  const [, key] = /^(.)[\r\n]*$/u.exec(text) ?? [];
  return key !== undefined && keys.includes(key.toLowerCase()) ? key.toLowerCase() : undefined;
}
