import { ApiError } from "@retake/client";
import { expect } from "vitest";

/** The error that a call must be refused with. */
export async function refusal(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}
