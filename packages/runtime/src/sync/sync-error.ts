/** Sync could not do what the user asked for. */
export class SyncError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "SyncError";
    this.code = code;
  }
}

export function notLoggedIn(): SyncError {
  return new SyncError("not-logged-in", "This machine does not sync. Log in first: retake sync login <url>");
}
