/** `14:02` today, `Mon 14:02` this week, a date otherwise. */
export function shortTime(iso: string, now = Date.now()): string {
  const time = new Date(iso);
  const age = now - time.getTime();
  const clock = time.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
  if (age < DAY && time.getDate() === new Date(now).getDate()) return clock;
  if (age < 6 * DAY) return `${time.toLocaleDateString(undefined, { weekday: "short" })} ${clock}`;
  return time.toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });
}

/** `12 s`, `3 min`, `2 h`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

const DAY = 24 * 60 * 60 * 1000;
