import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "./store-error.ts";

/**
 * What an error of SQLite means for a user. Whatever was being changed is rolled back, so what was saved before
 * is as it was. Errors of any other kind are our own and come back as they are.
 */
export function sqliteFailure(error: unknown, file: string): unknown {
  const code = (error as { code?: unknown } | null)?.code === "ERR_SQLITE_ERROR" ? primaryCode(error) : undefined;
  const failure = code === undefined ? undefined : FAILURES[code === 10 && isFull(file) ? 13 : code];
  return failure ? new StoreError(failure.code, failure.message(file), { cause: error }) : error;
}

function primaryCode(error: unknown): number {
  return Number((error as { errcode?: unknown }).errcode) & 0xff;
}

/** What a full disk does to the files beside the database, SQLite calls a failure of the disk. */
function isFull(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize < 64 * 1024;
  } catch {
    return false;
  }
}

const BUSY = {
  code: "busy",
  message: (file: string) =>
    `Another process has been writing to the store ${file} for too long. Nothing was changed. Try again; if it stays so, see which Retake is at work.`,
} as const;

const UNREADABLE =
  "It was left as it is. Copies from before migrations and repairs may lie beside it; one that is put in its place is " +
  "used from then on. retake doctor says more.";

const FAILURES: Readonly<
  Record<number, { readonly code: StoreError["code"]; readonly message: (file: string) => string }>
> = {
  5: BUSY,
  6: BUSY,
  8: {
    code: "read-only",
    message: (file) => `The store ${file} may not be written. Nothing was changed. Check its permissions and its disk.`,
  },
  10: {
    code: "disk-failure",
    message: (file) =>
      `The disk failed while the store ${file} was read or written. Nothing was changed. Check the disk.`,
  },
  11: { code: "damaged", message: (file) => `The store ${file} is damaged. ${UNREADABLE}` },
  13: {
    code: "disk-full",
    message: (file) =>
      `The disk that holds the store ${file} is full. Nothing was changed. Free some space (retake gc can help) and try again.`,
  },
  14: {
    code: "unopenable",
    message: (file) =>
      `The store ${file} cannot be opened. Nothing was changed. Check that it is a file you may write, on a disk that can be written.`,
  },
  26: { code: "damaged", message: (file) => `${file} is not a store of Retake's, or it is damaged. ${UNREADABLE}` },
};
