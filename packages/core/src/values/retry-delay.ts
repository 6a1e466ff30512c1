/** How long to wait before the next attempt, or that waiting is of no use [AG41]. */
export function retryDelay(
  failed: { readonly retries: number; readonly jitter: number; readonly retry_after_ms?: number },
  policy: RetryPolicy = DEFAULT_RETRY_POLICY,
): { readonly kind: "wait"; readonly delay_ms: number } | { readonly kind: "too-long" } {
  const jitter = Math.min(Math.max(failed.jitter, 0), 1);
  const asked = failed.retry_after_ms;
  if (asked === undefined) {
    // The exponent is bounded because 2^1024 is Infinity, and Infinity × 0 is NaN.
    const ceiling = Math.min(policy.cap_ms, policy.base_ms * 2 ** Math.min(Math.max(failed.retries - 1, 0), 30));
    return { kind: "wait", delay_ms: Math.round(jitter * ceiling) };
  }
  if (asked > policy.longest_wait_ms) return { kind: "too-long" };
  // Not before the time that the provider requested, and not all clients at the same instant.
  return { kind: "wait", delay_ms: Math.round(Math.max(asked, 0) + jitter * policy.base_ms) };
}

export type RetryPolicy = {
  readonly base_ms: number;
  readonly cap_ms: number;
  /** When a provider requests a longer wait than this, the turn ends and the user decides. */
  readonly longest_wait_ms: number;
};

export const DEFAULT_RETRY_POLICY: RetryPolicy = { base_ms: 1000, cap_ms: 60_000, longest_wait_ms: 300_000 };
export const DEFAULT_MAX_RETRIES = 8;
