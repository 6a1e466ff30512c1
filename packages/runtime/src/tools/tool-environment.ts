/** What a tool's processes see of ours: no key of any provider, no token of Retake's. */
export function toolEnvironment(ours: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const secret = /(_API_KEY|_TOKEN|_SECRET|PASSWORD|CREDENTIALS)$|^RETAKE_/i;
  const seen: Record<string, string> = {};
  for (const [name, value] of Object.entries(ours)) if (value !== undefined && !secret.test(name)) seen[name] = value;
  return seen;
}
