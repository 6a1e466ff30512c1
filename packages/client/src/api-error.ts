import type { ErrorBody } from "./wire/error.ts";

/** An answer that is not a success, with the server's own words. `status` is 0 when nothing was sent. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown;

  constructor(status: number, code: string, message: string, details?: unknown) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export async function apiError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => undefined)) as Partial<ErrorBody> | undefined;
  const { code, message, details } = body?.error ?? {};
  if (typeof code !== "string" || typeof message !== "string")
    return new ApiError(response.status, "unreadable", `The server answered ${response.status}.`);
  return new ApiError(response.status, code, message, details);
}
