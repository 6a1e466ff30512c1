import type { Retake } from "../open-retake.ts";

const LONGEST = 40;

/** A title for a new thread, made of its first prompt, that no thread of the workspace has. */
export function freeTitle(retake: Retake, prompt: string): string {
  const taken = new Set(retake.threads().map(({ title }) => title));
  const characters = [...prompt.replace(/\s+/g, " ").trim()];
  const cut = characters.length <= LONGEST ? characters : [...characters.slice(0, LONGEST - 1), "…"];
  // What is called so is taken for a take.
  const title = cut.join("").replaceAll("_take_", " take ") || "Discussion";
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? title : `${title} ${number}`;
    if (!taken.has(name)) return name;
  }
}
