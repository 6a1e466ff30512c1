/**
 * The key of those who run a server and read threads that users share with support. The server has the public half only:
 * the private one stays in a file of those people, who make links from it that the page for shared threads opens.
 */
import { existsSync, readFileSync } from "node:fs";
import { writeOwnFile } from "../config/write-own-file.ts";
import { type DeviceKeys, newDeviceKeys, openSealed } from "./device-keys.ts";
import { shareLink, supportShare } from "./shares.ts";

type SupportKey = Omit<DeviceKeys, "token">;

/** Makes a key in a new file; a file that exists is left as it is. Answers the public half. */
export function supportKey(file: string): { readonly public_key: string; readonly made: boolean } {
  if (existsSync(file)) return { public_key: readKey(file).public_key, made: false };
  const { private_key, public_key } = newDeviceKeys();
  writeOwnFile(file, `${JSON.stringify({ private_key, public_key }, null, 2)}\n`);
  return { public_key, made: true };
}

/** The link to a share, or undefined when it was sealed for another key. */
export function supportLink(file: string, url: string, share: string, sealed: string): string | undefined {
  const key = openSealed({ ...readKey(file), token: "" }, sealed, supportShare(share));
  return key && shareLink(url, share, key);
}

function readKey(file: string): SupportKey {
  const key = JSON.parse(readFileSync(file, "utf8")) as Partial<SupportKey>;
  const { private_key, public_key } = key;
  if (typeof private_key !== "string" || typeof public_key !== "string")
    throw new Error(`${file} is not a key of support.`);
  return { private_key, public_key };
}
