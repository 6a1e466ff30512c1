import type { LoginFile, ReadyLogin } from "./login-file.ts";
import { SyncSession, type SyncSessionOptions } from "./sync-session.ts";
import { httpTransport } from "./transport.ts";
import { VaultAccess } from "./vault-access.ts";

/** A session with the server and the vault of a login, as long as the file still names it. */
export function openSession({
  file,
  login,
  ...rest
}: Omit<SyncSessionOptions, "access" | "call" | "isJoined"> & {
  readonly file: LoginFile;
  readonly login: ReadyLogin;
}): SyncSession {
  const call = httpTransport(login.url, login.keys.token);
  const isJoined = () => file.ready()?.joined.device === login.joined.device;
  return new SyncSession({ ...rest, access: new VaultAccess(login), call, isJoined });
}
