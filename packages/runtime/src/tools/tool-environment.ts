/**
 * The environment of a tool's processes: Retake's own without what may be a secret [F11]. The names and values err on the
 * safe side; the setting `tools.environment` lets named ones through.
 */
export function toolEnvironment(
  ours: Readonly<Record<string, string | undefined>>,
  let_through: readonly string[] = [],
): Record<string, string> {
  const seen: Record<string, string> = {};
  for (const [name, value] of Object.entries(ours)) {
    if (value === undefined) continue;
    if (let_through.includes(name) || !isSecret(name, value)) seen[name] = value;
  }
  return seen;
}

function isSecret(name: string, value: string): boolean {
  if (/^RETAKE_/i.test(name)) return true;
  if (HARMLESS.has(name)) return false;
  if (LEADS_TO_SECRET.test(name)) return true;
  return name.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/).some(namesSecret) || isSecretValue(value);
}

/** They hold a word of the list, and no secret. */
const HARMLESS: ReadonlySet<string> = new Set(["PWD", "OLDPWD"]);

/** An agent that holds keys, a program that asks for them, or an address that often holds a password. */
const LEADS_TO_SECRET =
  /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|.*_ASKPASS|DBUS_SESSION_BUS_ADDRESS|DOCKER_HOST|KUBECONFIG|(?:DATABASE|DB|REDIS|MONGO|MONGODB|POSTGRES|POSTGRESQL|MYSQL|AMQP|RABBITMQ|BROKER|ELASTICSEARCH)_UR[IL])$/i;

/** A part of a name: `KEY` of `OPENAI_KEY`, `authToken` of `npm_config__authToken`. */
function namesSecret(part: string): boolean {
  return (
    /(?:KEY|KEYS|TOKEN|TOKENS|SECRET|SECRETS|PASS|PASSWD|PASSWORD|PASSPHRASE|PWD|CREDENTIAL|CREDENTIALS|CREDS)$/i.test(
      part,
    ) ||
    /^(?:AUTH|AUTHORIZATION|BEARER|PAT|JWT|PW|PIN|OTP|TOTP|SALT|SEED|MNEMONIC|COOKIE|COOKIES|DSN|PRIVATE|WEBHOOK|SAS|CONNSTR)$/i.test(
      part,
    )
  );
}

function isSecretValue(value: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]*:\/\/[^/@\s]*:[^/@\s]+@/i.test(value) ||
    /-----BEGIN [A-Z ]*PRIVATE KEY/.test(value) ||
    /^(?:sk-|sk_live_|rk_live_|gh[opsur]_|github_pat_|glpat-|xox[abprs]-|AKIA|ASIA|AIza|ya29\.|npm_[A-Za-z0-9]{20}|pypi-|hf_|eyJ[A-Za-z0-9_-]{10,}\.)/.test(
      value,
    ) ||
    /(?:AccountKey|SharedAccessKey|Password|Pwd)=[^;]+/i.test(value)
  );
}
