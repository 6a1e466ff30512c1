/** What a request needs is not there: the directory of a thread, a thread, an operation. */
export class HostError extends Error {
  readonly code: "workspace-missing" | "not-found" | "key-reused" | "key-unanswered";

  constructor(code: HostError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "HostError";
    this.code = code;
  }
}
