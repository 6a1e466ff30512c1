import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { secretRedactor } from "../model/redact-secrets.ts";
import { newDeviceKeys } from "../sync/device-keys.ts";
import { LoginFile } from "../sync/login-file.ts";
import { VaultKey } from "../sync/vault-key.ts";
import { syncSecrets } from "./sync-secrets.ts";

const config = mkdtempSync(join(tmpdir(), "retake-secrets-"));
afterAll(() => rmSync(config, { recursive: true }));

test("[X16] [S8] the keys of sync are left out of the communication log, wherever they are", () => {
  expect(syncSecrets(config)).toEqual({});
  const keys = newDeviceKeys();
  const key = VaultKey.create().bytes.toString("hex");
  const url = `https://${"sync.example.org/".repeat(3)}`;
  new LoginFile(config).write({ url, name: "laptop", keys, joined: { vault: "v", device: "d", key } });
  const redact = secretRedactor(syncSecrets(config));
  const said = `url ${url} token ${keys.token} private ${keys.private_key} vault ${key}`;
  expect(redact(said)).toBe(`url ${url} token [redacted] private [redacted] vault [redacted]`);
});
