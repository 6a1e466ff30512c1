import { wrongUsage } from "./command.ts";

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** A time that a user named: a date, which begins and ends at midnight here, a date with time, or `3d` ago. */
export function timeOf(text: string, edge: "start" | "end", now: number): number {
  const [, count, unit = ""] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * (UNITS[unit] ?? 0);
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(day ? `${text}T00:00:00` : text) : Number.NaN;
  if (Number.isNaN(at))
    throw wrongUsage(`'${text}' is not a time. Write 2026-01-31, 2026-01-31T18:00, or 12h, 3d, 2w.`);
  return day && edge === "end" ? at + 86_400_000 - 1 : at;
}
