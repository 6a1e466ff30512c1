/** A request that is not carried out, with the status it is answered by. */
export class RequestError extends Error {
  readonly status: ErrorStatus;
  readonly code: string;
  readonly details: object | undefined;

  constructor(status: ErrorStatus, code: string, message: string, details?: object) {
    super(message);
    this.name = "RequestError";
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 424 | 500 | 503;
