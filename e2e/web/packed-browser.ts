/**
 * The Chromium that npm installs, unpacked once beside its package. The package itself unpacks into a directory that all
 * processes share, and takes a file that another process still writes for a complete one. So each process unpacks into a
 * directory of its own, and the first one that is complete gets the name that all look for.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The path of its program. */
export async function packedBrowser(): Promise<string> {
  const folder = join(dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))), "..");
  const unpacked = join(folder, "unpacked");
  if (!existsSync(unpacked)) await unpack(folder, unpacked);
  return join(unpacked, "chromium");
}

async function unpack(folder: string, unpacked: string): Promise<void> {
  const own = mkdtempSync(join(folder, "unpacking-"));
  try {
    const program = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';
    await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
      cwd: import.meta.dirname,
      env: { ...process.env, TMPDIR: own },
    });
    renameSync(own, unpacked);
  } catch (error) {
    rmSync(own, { recursive: true, force: true });
    if (!existsSync(unpacked)) throw error;
  }
}
