/** The ISO text of a moment, given by the caller's clock. */
export function isoTime(at: number): string {
  // biome-ignore lint/style/noRestrictedGlobals: a pure function of its argument; no clock is read
  return new Date(at).toISOString();
}

/** Moments are whole milliseconds since 1970, within the range of the calendar. */
export function isMoment(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 8_640_000_000_000_000;
}
