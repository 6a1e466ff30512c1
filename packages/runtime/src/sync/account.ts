/**
 * The things that a user does about sync: join a vault, link other devices, change its key, leave it. Keys are written to the
 * login file before the server is asked, so that a lost answer or a crash loses none.
 */
import {
  afterRemoval,
  type NewDevice,
  type SyncAnswer,
  type SyncCall,
  type SyncInput,
  type SyncOutcome,
  type VaultDevice,
} from "@retake/core/sync";
import type { SyncRows } from "../store/sync-rows.ts";
import { KEY_BYTES } from "./cipher.ts";
import { linkSecret, newDeviceKeys, newLinkWords, openSealed, sealFor, tokenHash } from "./device-keys.ts";
import type { JoinedVault, LoginFile, ReadyLogin, SyncLogin } from "./login-file.ts";
import { notLoggedIn, SyncError } from "./sync-error.ts";
import { httpTransport } from "./transport.ts";
import { VaultAccess } from "./vault-access.ts";
import { VaultKey } from "./vault-key.ts";

export interface NewLogin {
  readonly url: string;
  /** The name of this device for people. */
  readonly name: string;
}

/** A request to be linked, which a device of the vault approves. */
export interface LinkCode {
  readonly code: string;
  readonly words: string;
  readonly expires_at: number;
}

export interface VaultContents {
  readonly url: string;
  readonly vault: string;
  /** Those that are not revoked. */
  readonly devices: number;
  readonly used_bytes: number;
  readonly quota_bytes: number;
}

export class SyncAccount {
  readonly #file: LoginFile;
  readonly #rows: SyncRows;

  constructor(file: LoginFile, rows: SyncRows) {
    this.#file = file;
    this.#rows = rows;
  }

  /** Joins with an invitation, as the first device of a new vault. Answers its recovery words. */
  async join(login: NewLogin, invitation: string): Promise<{ readonly words: string }> {
    const begun = this.#begin(login);
    const { vault, device, kid } = await ask(begun, "join", { invitation, device: newDevice(begun) });
    if (kid !== null) {
      await callOf(begun)("revokeDevice", { vault, device });
      this.#file.remove();
      throw new SyncError(
        "has-devices",
        "This vault has devices already, and only they have its key. Link this one: retake sync login <url> without an invitation. Or use the recovery words: retake sync recover <url>",
      );
    }
    const key = VaultKey.create();
    const joined = this.#enter(begun, { vault, device, key: key.bytes.toString("hex") });
    await ask(joined, "changeKey", firstKey(vault, key));
    return { words: key.words };
  }

  /** Asks to be linked to a vault that exists. `follow` finds out whether a device has approved. */
  async requestLink(login: NewLogin): Promise<LinkCode> {
    const begun = this.#begin(login);
    const { code, expires_at } = await ask(begun, "startLink", { device: newDevice(begun) });
    const words = newLinkWords();
    this.#file.write({ ...begun, link: { code, words } });
    return { code, words, expires_at };
  }

  async followLink(): Promise<"waiting" | "joined" | "denied"> {
    const login = this.#file.read();
    if (login?.joined) return "joined";
    if (!login?.link) throw new SyncError("not-linking", "This machine does not wait to be linked.");
    const { code, words } = login.link;
    const followed = await ask(login, "followLink", { code });
    if (followed.state !== "approved") {
      if (followed.state === "denied") this.#file.remove();
      return followed.state;
    }
    const { vault, device, kid, sealed_key } = followed;
    const bytes = openSealed(login.keys, sealed_key, vault, linkSecret(words.split(" "), code));
    if (!bytes || new VaultKey(bytes).kid !== kid) {
      this.#file.remove();
      throw new SyncError(
        "not-trusted",
        "The answer was not made with the six words of this machine, so it was not used. Nothing is synced; log in again.",
      );
    }
    this.#enter(login, { vault, device, key: bytes.toString("hex") });
    return "joined";
  }

  /** Lets a device in that shows this code and these words. */
  async approveLink(code: string, words: readonly string[]): Promise<{ readonly name: string }> {
    const login = this.#ready();
    const { vault, key } = login.joined;
    const secret = linkSecret(words, code);
    if (!secret)
      throw new SyncError(
        "invalid-words",
        "These are not the six words that the other machine shows. Nothing was done.",
      );
    const { name, public_key } = await ask(login, "readLink", { vault, code });
    const sealed_key = sealFor(public_key, Buffer.from(key, "hex"), vault, secret);
    await ask(login, "answerLink", { vault, code, approve: true, sealed_key });
    return { name };
  }

  /** Joins with the recovery words of the vault. */
  async recover(login: NewLogin, words: string): Promise<void> {
    const key = VaultKey.fromWords(words);
    if (!key)
      throw new SyncError(
        "invalid-words",
        "These are not 24 recovery words: a word is missing, misspelt or in another place. Nothing was done.",
      );
    const begun = this.#begin(login);
    const { vault, device, kid } = await ask(begun, "recover", {
      secret: key.recoverySecret,
      device: newDevice(begun),
    });
    if (kid !== key.kid) {
      this.#file.remove();
      throw new SyncError("old-words", "These words are of an older key of the vault. Nothing is synced.");
    }
    this.#enter(begun, { vault, device, key: key.bytes.toString("hex") });
  }

  async devices(): Promise<{ readonly own: string; readonly devices: readonly VaultDevice[] }> {
    const login = this.#ready();
    const { device: own, devices } = await ask(login, "readVault", { vault: login.joined.vault });
    return { own, devices };
  }

  async revoke(device: string): Promise<void> {
    const login = this.#ready();
    await ask(login, "revokeDevice", { vault: login.joined.vault, device });
  }

  /** Gives the vault a new key, and answers its recovery words. The old words open nothing any more. */
  async rotate(): Promise<{ readonly words: string }> {
    const login = this.#ready();
    const { vault, device } = login.joined;
    const access = new VaultAccess(login);
    const { devices } = await ask(login, "readVault", { vault });
    const key = VaultKey.create();
    this.#file.write({ ...login, joined: { ...login.joined, next_key: key.bytes.toString("hex") } });
    const threads = [...this.#rows.threads()].flatMap(([thread, { key: stored, state }]) =>
      stored === undefined || !state.registered || state.stop?.code === "gone"
        ? []
        : [{ thread, wrapped_key: access.wrap(thread, stored, key) }],
    );
    const others = devices.filter((each) => each.device !== device && each.revoked_at === undefined);
    const seal = (publicKey: string) => sealFor(publicKey, key.bytes, vault, access.key.successionSecret);
    await ask(login, "changeKey", {
      vault,
      previous: access.kid,
      kid: key.kid,
      recovery_hash: key.recoveryHash,
      threads,
      devices: others.map((each) => ({ device: each.device, sealed_key: seal(each.public_key) })),
    });
    this.#joined(login, { vault, device, key: key.bytes.toString("hex") });
    return { words: key.words };
  }

  /** Leaves the vault. The threads stay here and on the server. */
  async leave(): Promise<{ readonly told: boolean }> {
    const login = this.#file.read();
    if (!login) throw notLoggedIn();
    const { joined } = login;
    const told = joined
      ? (await callOf(login)("revokeDevice", { vault: joined.vault, device: joined.device })).kind === "answer"
      : true;
    this.#file.remove();
    this.#rows.clear();
    return { told };
  }

  /** The amounts that the server has of the vault. */
  async contents(): Promise<VaultContents> {
    const login = this.#ready();
    const { vault } = login.joined;
    const { devices, used_bytes, quota_bytes } = await ask(login, "readVault", { vault });
    const active = devices.filter(({ revoked_at }) => revoked_at === undefined);
    return { url: login.url, vault, devices: active.length, used_bytes, quota_bytes };
  }

  /**
   * Removes a thread from the server, for all devices of the vault. It stays on each of them and is not synced any more. Answers
   * after how many days the server deletes its copy.
   */
  async removeThread(thread: string): Promise<{ readonly retention_days: number }> {
    const login = this.#ready();
    const { vault } = login.joined;
    if (!this.#rows.thread(thread).state.registered)
      throw new SyncError("not-synced", "The server does not have this thread. Nothing was removed.");
    const { retention_days } = await ask(login, "readVault", { vault });
    await ask(login, "deleteThread", { vault, thread });
    this.#rows.setThread(thread, afterRemoval(this.#rows.thread(thread).state));
    return { retention_days };
  }

  /** Deletes the vault from the server, for all its devices. The threads stay on each of them. */
  async deleteVault(): Promise<void> {
    const login = this.#ready();
    const { vault } = login.joined;
    const call = callOf(login);
    let outcome = await call("deleteVault", { vault });
    for (let attempt = 1; attempt < ATTEMPTS && outcome.kind === "no-answer"; attempt += 1) {
      outcome = await call("deleteVault", { vault });
      // The first call did it, and its answer was lost.
      if (outcome.kind === "refused" && outcome.code === "unauthorized") outcome = { kind: "answer", answer: {} };
    }
    if (outcome.kind !== "answer")
      throw new SyncError(
        outcome.kind === "refused" ? outcome.code : "no-answer",
        `${outcome.message} Nothing was deleted here.`,
      );
    this.#file.remove();
    this.#rows.clear();
  }

  /**
   * After the server refused this device's key: takes over the key that another device has set, or sets the first one
   * when this device was interrupted. False when this device has no way to get the key.
   */
  async refreshKey(): Promise<boolean> {
    const login = this.#ready();
    const { vault, device, key, next_key } = login.joined;
    const found = await ask(login, "readVault", { vault });
    const own = [key, next_key].flatMap((text) => (text === undefined ? [] : [new VaultKey(Buffer.from(text, "hex"))]));
    if (found.kid === null && own[0]) await ask(login, "changeKey", firstKey(vault, own[0]));
    const keys = withSuccessors(own, found.sealed_key ?? "", (text, before) =>
      openSealed(login.keys, text, vault, before.successionSecret),
    );
    const right = found.kid === null ? own[0] : keys.find(({ kid }) => kid === found.kid);
    // After a logout meanwhile, the file must not come back.
    if (!right || this.#file.ready()?.joined.device !== device) return false;
    this.#joined(login, { vault, device, key: right.bytes.toString("hex") });
    return true;
  }

  #ready(): ReadyLogin {
    const login = this.#file.ready();
    if (!login) throw notLoggedIn();
    return login;
  }

  /** Keys that were made for the same server before are used again: the server may have heard of them. */
  #begin({ url, name }: NewLogin): SyncLogin {
    const before = this.#file.read();
    if (before?.joined)
      throw new SyncError("already-exists", `This machine syncs with ${before.url}. First log out: retake sync logout`);
    const address = checkedUrl(url);
    const begun = { url: address, name, keys: before?.url === address ? before.keys : newDeviceKeys() };
    this.#file.write(begun);
    return begun;
  }

  /** Rows of a vault before it would be taken for this one's: a logout may have been killed, or its file been moved away. */
  #enter(login: SyncLogin, joined: JoinedVault): ReadyLogin {
    this.#rows.clear();
    return this.#joined(login, joined);
  }

  #joined({ url, name, keys }: SyncLogin, joined: JoinedVault): ReadyLogin {
    const login = { url, name, keys, joined };
    this.#file.write(login);
    return login;
  }
}

/**
 * Keys, and those that followed them one after the other. Each was sealed with the one before it. So no server can give a
 * device a key of its own, and a device that was switched off during several changes follows all of them.
 */
function withSuccessors(
  own: readonly VaultKey[],
  sealed: string,
  open: (text: string, before: VaultKey) => Buffer | undefined,
): readonly VaultKey[] {
  const keys = [...own];
  for (const text of sealed.split(" ")) {
    const found = keys.map((before) => open(text, before)).find((bytes) => bytes?.length === KEY_BYTES);
    if (found) keys.push(new VaultKey(found));
  }
  return keys;
}

function firstKey(vault: string, key: VaultKey) {
  return { vault, previous: null, kid: key.kid, recovery_hash: key.recoveryHash, threads: [], devices: [] };
}

function newDevice({ name, keys }: SyncLogin): NewDevice {
  return { name, public_key: keys.public_key, token_hash: tokenHash(keys) };
}

function callOf({ url, keys }: SyncLogin) {
  return httpTransport(url, keys.token);
}

/** Every call can be repeated, so one without an answer is. */
const ATTEMPTS = 3;

export async function ask<C extends SyncCall>(login: SyncLogin, name: C, input: SyncInput<C>): Promise<SyncAnswer<C>> {
  const call = callOf(login);
  let outcome: SyncOutcome<C> = { kind: "no-answer", message: "" };
  for (let attempt = 0; attempt < ATTEMPTS && outcome.kind === "no-answer"; attempt += 1)
    outcome = await call(name, input);
  if (outcome.kind === "answer") return outcome.answer;
  throw new SyncError(outcome.kind === "refused" ? outcome.code : "no-answer", outcome.message);
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new SyncError("invalid-url", `'${text}' is not the address of a server, as https://sync.example.org is.`);
  return url.href.replace(/\/+$/, "");
}
