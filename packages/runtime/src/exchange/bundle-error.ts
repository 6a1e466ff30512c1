/** A bundle was refused. Nothing has changed. */
export class BundleError extends Error {
  readonly code: "newer-version" | "malformed";
  constructor(code: BundleError["code"], message: string) {
    super(message);
    this.name = "BundleError";
    this.code = code;
  }
}

export function broken(why: string): BundleError {
  return new BundleError("malformed", `This bundle cannot be trusted: ${why}. Nothing was changed.`);
}
