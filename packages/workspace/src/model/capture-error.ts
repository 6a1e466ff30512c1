/** A capture failed. The store and the workspace are unchanged. */
export class CaptureError extends Error {
  readonly code: "cancelled" | "refused-root" | "closed" | "worker-died";

  constructor(code: CaptureError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "CaptureError";
    this.code = code;
  }
}
