import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "./store-error.ts";

/**
 * Explains an error of SQLite to a user. The open change is rolled back, so everything saved before is unchanged. Other
 * errors are our own bugs and are returned unchanged.
 */
export function sqliteFailure(error: unknown, file: string): unknown {
  const code = (error as { code?: unknown } | null)?.code === "ERR_SQLITE_ERROR" ? primaryCode(error) : undefined;
  const failure = code === undefined ? undefined : FAILURES[realCode(code, file)];
  return failure ? new StoreError(failure.code, failure.message(file), { cause: error }) : error;
}

/** The actual cause, where SQLite uses one code for several. */
function realCode(code: number, file: string): number {
  const meant = code === CORRUPT && !isDamaged(file) ? IO_ERROR : code;
  return meant === IO_ERROR && isFull(file) ? FULL : meant;
}

const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;

function primaryCode(error: unknown): number {
  return Number((error as { errcode?: unknown }).errcode) & 0xff;
}

/**
 * SQLite reports a read error of the disk as a damaged file. A file is really damaged only if a fresh connection finds
 * it damaged too.
 */
function isDamaged(file: string): boolean {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(file, { readOnly: true });
    const lines = connection.prepare("PRAGMA quick_check(1)").all();
    // "unable to get the page. error code=10" means a failure of the disk, not damage.
    return lines.some(({ quick_check: line }) => line !== "ok" && !String(line).includes("error code="));
  } catch (error) {
    return [CORRUPT, NOT_A_DATABASE].includes(primaryCode(error));
  } finally {
    connection?.close();
  }
}

/** On a full disk SQLite reports failures of the files beside the database as disk failures. */
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
      `The disk that holds the store ${file} is full. Nothing was changed. Free some space and try again.`,
  },
  14: {
    code: "unopenable",
    message: (file) =>
      `The store ${file} cannot be opened. Nothing was changed. Check that it is a file you may write, on a disk that can be written.`,
  },
  26: { code: "damaged", message: (file) => `${file} is not a store of Retake's, or it is damaged. ${UNREADABLE}` },
};
