/**
 * How long a provider asks to wait, in milliseconds. Providers say it in several ways: in milliseconds, in seconds, as
 * a date, and Google in the body of its error.
 */
export function retryAfter(said: {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
  readonly now: number;
}): number | undefined {
  const { headers, body, now } = said;
  for (const name of ["retry-after-ms", "x-ms-retry-after-ms"]) {
    const milliseconds = numberIn(headers[name]);
    if (milliseconds !== undefined) return Math.ceil(milliseconds);
  }
  const plain = headers["retry-after"];
  const seconds = numberIn(plain);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const date = plain === undefined ? Number.NaN : Date.parse(plain);
  if (!Number.isNaN(date)) return Math.max(date - now, 0);
  const [, delay] = /"retryDelay"\s*:\s*"(\d{1,9}(?:\.\d{1,9})?)s"/.exec(JSON.stringify(body) ?? "") ?? [];
  return delay === undefined ? undefined : Math.ceil(Number(delay) * 1000);
}

function numberIn(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*\d{1,12}(?:\.\d{1,12})?\s*$/.test(text)) return undefined;
  return Number(text);
}
