/** The one place that makes addresses of scripts: those of our own workers, which the build names. */
interface Policy {
  createScriptURL(url: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy;
}

const rules = {
  createScriptURL(url: string): string {
    if (new URL(url, location.href).origin !== location.origin) throw new Error(`not a worker of this page: ${url}`);
    return url;
  },
};

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
const policy: Policy = trustedTypes?.createPolicy("retake-worker", rules) ?? rules;

export function workerAddress(url: string): string {
  return policy.createScriptURL(url);
}
