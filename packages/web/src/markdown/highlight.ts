import { workerAddress } from "../data/worker-address.ts";
import type { HighlightAnswer, HighlightRequest } from "./highlight-worker.ts";
import workerUrl from "./highlight-worker.ts?worker&url";

export type CodeLines = NonNullable<HighlightAnswer["lines"]>;

const LONGEST = 100_000;
const MOST_KEPT = 300;
const kept = new Map<string, CodeLines | undefined>();
const waiting = new Map<number, (lines: CodeLines | undefined) => void>();
let worker: Worker | undefined;
let count = 0;

/** The tokens of a piece of code; undefined where its language is not known, or it is too long. */
export function highlight(language: string, code: string): Promise<CodeLines | undefined> {
  const key = `${language}\n${code}`;
  if (kept.has(key) || language === "" || code.length > LONGEST) return Promise.resolve(kept.get(key));
  worker ??= startWorker();
  count += 1;
  const request: HighlightRequest = { id: count, language, code };
  return new Promise((resolve) => {
    waiting.set(request.id, (lines) => {
      if (kept.size > MOST_KEPT) kept.clear();
      kept.set(key, lines);
      resolve(lines);
    });
    worker?.postMessage(request);
  });
}

function startWorker(): Worker {
  const started = new Worker(workerAddress(workerUrl), { type: "module" });
  started.onmessage = ({ data }: MessageEvent<HighlightAnswer>) => {
    waiting.get(data.id)?.(data.lines);
    waiting.delete(data.id);
  };
  return started;
}
