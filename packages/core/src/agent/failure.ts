import type { Failure } from "./agent-state.ts";

/** The failures of a call to the model: whether waiting helps, and what a user can do [AG40]. */
export const MODEL_ERRORS = {
  "rate-limited": { retryable: true, advice: "Wait a little, or choose another model, and send the prompt again." },
  overloaded: { retryable: true, advice: "Wait a little, or choose another model, and send the prompt again." },
  server: { retryable: true, advice: "The provider has a fault of its own; try again later." },
  network: { retryable: true, advice: "Check the connection and the base URL, then send the prompt again." },
  stalled: { retryable: true, advice: "The answer stopped arriving; send the prompt again." },
  "invalid-key": { retryable: false, advice: "Set a valid one: `retake config --help` lists the names of keys." },
  "out-of-credit": { retryable: false, advice: "Add credit to the provider's account, or choose another model." },
  "over-budget": {
    retryable: false,
    advice: "Raise it with `retake settings budget <dollars>` and send the prompt again.",
  },
  "unknown-model": { retryable: false, advice: "Choose a model that `retake models` lists." },
  "context-overflow": {
    retryable: false,
    advice: "Shorten the conversation: `retake compress`, or `retake truncate 1` for the last pair alone.",
  },
  "empty-answer": {
    retryable: false,
    advice: "Send the prompt again, or choose another model that `retake models` lists.",
  },
  refused: { retryable: false, advice: "Rephrase the prompt, or choose another model." },
  "invalid-signature": { retryable: false, advice: "Summarise the conversation (`retake compress`) and try again." },
  "invalid-image": { retryable: false, advice: "Choose a model that takes such images, or undo to before the image." },
  "invalid-request": { retryable: false, advice: "Undo the last edit, or report this as a fault of Retake." },
} as const satisfies Record<string, { readonly retryable: boolean; readonly advice: string }>;

export type ModelErrorCode = keyof typeof MODEL_ERRORS;

export function modelFailure(code: ModelErrorCode, message: string): Failure {
  return { origin: "model", code, message, advice: MODEL_ERRORS[code].advice };
}

/** The same for failures of the disk and the store [AG44]. */
export const IO_ERRORS = {
  "disk-full": { retryable: true, advice: "Free some space, then send the prompt again." },
  busy: { retryable: true, advice: "See which other Retake is at work, then send the prompt again." },
  failed: { retryable: false, advice: "Mend the cause, then send the prompt again, or undo the turn." },
} as const satisfies Record<string, { readonly retryable: boolean; readonly advice: string }>;

export type IoErrorCode = keyof typeof IO_ERRORS;

export function ioFailure(code: IoErrorCode, message: string): Failure {
  return { origin: "io", code, message, advice: IO_ERRORS[code].advice };
}
