import type { Retake } from "./open-retake.ts";

/** A title that no discussion of the workspace has: the one wanted, or that with a number. */
export function freeTitle(retake: Retake, wanted: string): string {
  const taken = new Set(retake.threads().map(({ title }) => title));
  const title = wanted.replaceAll("_take_", " take ").trim() || "Discussion";
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? title : `${title} ${number}`;
    if (!taken.has(name)) return name;
  }
}
