import { isObject, type Json } from "@retake/core";

/**
 * Removes secrets from data that is about to be logged, in three ways, because none finds all of them: the values of
 * this process's own keys anywhere; values under a name like `authorization` or `api_key`; and texts that look like a
 * key, or that assign one (`X_TOKEN=…`).
 */
export function secretRedactor(environment: Readonly<Record<string, string | undefined>>): (value: Json) => Json {
  const known = Object.entries(environment)
    .flatMap(([name, value]) =>
      value !== undefined && value.length >= LEAST_SECRET && isSecretName(name) ? [value] : [],
    )
    // The longest first: one may be the beginning of another.
    .sort((a, b) => b.length - a.length);

  const redactText = (text: string): string => {
    let clean = text;
    for (const secret of known) clean = clean.replaceAll(secret, REDACTED);
    for (const [look, replacement] of LOOKS) clean = clean.replace(look, replacement);
    return clean;
  };
  const redact = (value: Json): Json => {
    if (typeof value === "string") return redactText(value);
    if (Array.isArray(value)) return value.map(redact);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        redactText(name),
        isSecretName(name) && holdsText(member) ? REDACTED : redact(member),
      ]),
    );
  };
  return redact;
}

export const REDACTED = "[redacted]";
/** A shorter key is a word that a local server is given in place of one, such as `none`: it is no secret, and part of other words. */
export const LEAST_SECRET = 8;

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.replace(/([a-z])([A-Z])/g, "$1_$2")) || /^[A-Z0-9_]+_KEY$/.test(name);
}

/** Names of headers, options and variables. A plain `…_key` is not among them: most of those are no secrets. */
const SECRET_NAME =
  /^(?:(?:proxy[-_])?authorization|(?:set[-_])?cookie|(?:.*[-_])?(?:(?:api|access|private|secret)[-_]?key|secret|token|password|passwd|passphrase|credentials?))$/i;

function holdsText(value: Json | undefined): boolean {
  return typeof value === "string" || (Array.isArray(value) && value.some((item) => typeof item === "string"));
}

/** Almost without backtracking: logged texts are long, and come from outside. */
const LOOKS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, REDACTED],
  [/\bsk-[A-Za-z0-9_-]{16,}|\b[prs]k_(?:live|test)_[A-Za-z0-9]{8,}/g, REDACTED],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|npm_|hf_|xox[abeoprs]-|gsk_|xai-)[A-Za-z0-9_-]{16,}/g, REDACTED],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, REDACTED],
  [/\bAIza[A-Za-z0-9_-]{30,}/g, REDACTED],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, REDACTED],
  [/\b(bearer|basic) [A-Za-z0-9._~+/=-]{16,}/gi, `$1 ${REDACTED}`],
  [/(:\/\/)[^\s/?#@:]*:[^\s/?#@]+@/g, `$1${REDACTED}@`],
  [
    /\b((?:[A-Z0-9]{1,40}_){0,8}(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?))=(?:"[^"\n]*"|'[^'\n]*'|[^\s"']+)/g,
    `$1=${REDACTED}`,
  ],
];
