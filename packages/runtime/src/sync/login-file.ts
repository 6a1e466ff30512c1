import { readFileSync, rmSync } from "node:fs";
import { isObject } from "@retake/core";
import { syncFile } from "../config/sync-secrets.ts";
import { writeOwnFile } from "../config/write-own-file.ts";
import type { DeviceKeys } from "./device-keys.ts";
import { SyncError } from "./sync-error.ts";

/**
 * The server that this machine syncs with, and all keys, in one file that only its owner can read. It is beside the
 * configuration and not in the store: a store may be copied, shown to `retake doctor` or sent to somebody.
 */
export interface SyncLogin {
  readonly url: string;
  /** The name of this device for people. */
  readonly name: string;
  readonly keys: DeviceKeys;
  /** Absent until the server has answered. The keys are stored first, so that joining can be repeated after a crash. */
  readonly joined?: JoinedVault;
  /** While this machine waits to be linked. */
  readonly link?: { readonly code: string; readonly words: string };
}

export interface JoinedVault {
  readonly vault: string;
  readonly device: string;
  /** The vault key, in hexadecimal digits. */
  readonly key: string;
  /** The next vault key, from before the server is asked to change it until it has answered. */
  readonly next_key?: string;
}

export type ReadyLogin = SyncLogin & { readonly joined: JoinedVault };

export class LoginFile {
  readonly #file: string;

  /** `directory`: that of the configuration. */
  constructor(directory: string) {
    this.#file = syncFile(directory);
  }

  read(): SyncLogin | undefined {
    let text: string;
    try {
      text = readFileSync(this.#file, "utf8");
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return undefined;
      throw this.#unreadable(String(code));
    }
    const login = parse(text);
    if (!isObject(login) || typeof login["url"] !== "string" || !isObject(login["keys"]))
      throw this.#unreadable("it is not what Retake wrote");
    return login as unknown as SyncLogin;
  }

  #unreadable(why: string): SyncError {
    return new SyncError(
      "unreadable",
      `${this.#file} cannot be read: ${why}. Put it back from a backup, or move it away and log in again.`,
    );
  }

  /** The login of a device that has joined a vault. */
  ready(): ReadyLogin | undefined {
    const login = this.read();
    return login?.joined ? (login as ReadyLogin) : undefined;
  }

  write(login: SyncLogin): void {
    writeOwnFile(this.#file, `${JSON.stringify(login, null, 2)}\n`);
  }

  remove(): void {
    rmSync(this.#file, { force: true });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
