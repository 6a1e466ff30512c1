/** The store's file broke a promise: it cannot be opened, is too new, or lost what it held. */
export class StoreError extends Error {
  readonly code:
    | "unopenable"
    | "busy"
    | "read-only"
    | "disk-full"
    | "disk-failure"
    | "damaged"
    | "sqlite-too-old"
    | "newer-schema"
    | "unknown-capture"
    | "collected"
    | "unknown-thread"
    | "unreadable";

  constructor(code: StoreError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StoreError";
    this.code = code;
  }
}
