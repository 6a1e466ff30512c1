/**
 * Threads that are shared with readers outside of the vault (`core/src/sync/share.ts`). The server says which there are:
 * a link that is given away is no part of a conversation, so no undo, jump or import makes or ends one.
 */
import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { pad, type ShareDocument, type ShareReaders, SYNC_LIMITS, shareData, shareDocument } from "@retake/core/sync";
import type { SyncRows } from "../store/sync-rows.ts";
import type { ThreadStore } from "../store/thread-store.ts";
import { ask } from "./account.ts";
import { encrypt } from "./cipher.ts";
import { sealFor } from "./device-keys.ts";
import type { LoginFile, ReadyLogin } from "./login-file.ts";
import { notLoggedIn, SyncError } from "./sync-error.ts";
import type { ThreadKeys } from "./thread-keys.ts";
import { VaultAccess } from "./vault-access.ts";
import { sha256 } from "./vault-key.ts";

export interface SharedThread {
  readonly thread_id: string;
  readonly title: string;
  readonly readers: ShareReaders;
  readonly shared_at: number;
  /** Of a share that everybody with the link reads. */
  readonly link?: string;
}

export class SyncShares {
  readonly #file: LoginFile;
  readonly #rows: SyncRows;
  readonly #threads: ThreadStore;
  readonly #now: () => number;

  constructor(file: LoginFile, rows: SyncRows, threads: ThreadStore, now: () => number) {
    this.#file = file;
    this.#rows = rows;
    this.#threads = threads;
    this.#now = now;
  }

  /** Shares a thread as it is now. A thread that is shared already keeps its link, which shows it as it is now. */
  async share(thread: string, readers: ShareReaders): Promise<SharedThread> {
    const login = this.#ready();
    const { vault } = login.joined;
    const keys = this.#keysOf(login, thread);
    const shares = await sharesOf(login);
    const known = shares.find((each) => each.thread === thread && each.readers === readers);
    const share = known?.share ?? randomBytes(SHARE_BYTES).toString("hex");
    const shared_at = this.#now();
    const document = this.#threads.read(thread, ({ state }) => shareDocument(state, shared_at));
    const bytes = sealShare(keys, share, document);
    if (bytes.length > SYNC_LIMITS.share_bytes)
      throw new SyncError("too-large", "The conversation is too long to be shared. Nothing was shared.");
    const sealed = readers === "support" ? { sealed_key: await this.#sealForSupport(login, keys, share) } : {};
    await ask(login, "putShare", { vault, thread, share, readers, ...sealed, digest: sha256(bytes), bytes });
    return { thread_id: thread, title: document.title, readers, shared_at, ...linkOf(login, keys, share, readers) };
  }

  /** Ends all shares of a thread. Answers how many there were. */
  async unshare(thread: string): Promise<number> {
    const login = this.#ready();
    const { vault } = login.joined;
    const shares = await sharesOf(login);
    const own = shares.filter((each) => each.thread === thread);
    for (const { share } of own) await ask(login, "deleteShare", { vault, share });
    return own.length;
  }

  async list(): Promise<SharedThread[]> {
    const login = this.#ready();
    const shares = await sharesOf(login);
    return shares.map(({ share, thread, readers, shared_at }) => {
      const { key } = this.#rows.thread(thread);
      const link = key === undefined ? {} : linkOf(login, this.#keysOf(login, thread), share, readers);
      return { thread_id: thread, title: this.#threads.get(thread)?.title ?? thread, readers, shared_at, ...link };
    });
  }

  async #sealForSupport(login: ReadyLogin, keys: ThreadKeys, share: string): Promise<string> {
    const { support_key } = await ask(login, "readVault", { vault: login.joined.vault });
    if (support_key === undefined)
      throw new SyncError("no-support", `${login.url} has no support that reads threads. Nothing was shared.`);
    return sealFor(support_key, keys.shareKey(share), supportShare(share));
  }

  #keysOf(login: ReadyLogin, thread: string): ThreadKeys {
    const { state, key } = this.#rows.thread(thread);
    if (key === undefined || !state.registered)
      throw new SyncError("not-synced", "The server does not have this thread yet, so it was not shared: retake sync");
    return new VaultAccess(login).threadKeys(thread, key);
  }

  #ready(): ReadyLogin {
    const login = this.#file.ready();
    if (!login) throw notLoggedIn();
    return login;
  }
}

const SHARE_BYTES = 16;

/** A server from before there were shares has no such route. */
async function sharesOf(login: ReadyLogin) {
  try {
    return (await ask(login, "listShares", { vault: login.joined.vault })).shares;
  } catch (error) {
    if (!(error instanceof SyncError) || error.code !== "not-found") throw error;
    throw new SyncError(
      "older-server",
      `${login.url} is older than shared threads: update the server. Nothing was shared.`,
    );
  }
}

function sealShare(keys: ThreadKeys, share: string, document: ShareDocument): Uint8Array {
  return encrypt(keys.shareKey(share), pad(gzipSync(JSON.stringify(document))), shareData(share));
}

function linkOf({ url }: ReadyLogin, keys: ThreadKeys, share: string, readers: ShareReaders): { link?: string } {
  return readers === "link" ? { link: shareLink(url, share, keys.shareKey(share)) } : {};
}

export function shareLink(url: string, share: string, key: Uint8Array): string {
  return `${url}/s/${share}#${Buffer.from(key).toString("base64url")}`;
}

/** The purpose of a key that is sealed for support. */
export function supportShare(share: string): string {
  return `support share ${share}`;
}
