import type { IoErrorCode } from "@retake/core";
import { systemFailure } from "../store/system-failure.ts";

/** How the agent sees an error of the disk, the store or a screen. */
export function ioError(error: unknown): { readonly code: IoErrorCode; readonly message: string } {
  const { code = "", message } = error as { code?: string; message: string };
  return { code: CODES[code] ?? "failed", message: systemFailure(error)?.message ?? message };
}

const CODES: Readonly<Record<string, IoErrorCode>> = {
  "disk-full": "disk-full",
  ENOSPC: "disk-full",
  EDQUOT: "disk-full",
  busy: "busy",
};
