/** A capture that did not happen. The store and the workspace are as they were. */
export class CaptureError extends Error {
  readonly code: "cancelled" | "refused-root" | "closed" | "worker-died";

  constructor(code: CaptureError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "CaptureError";
    this.code = code;
  }
}
