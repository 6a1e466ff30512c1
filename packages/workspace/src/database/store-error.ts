/** A failure of the store's file: it cannot be opened, is too new, or has lost data. */
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
