import type { Workspace } from "../workspace/open-workspace.ts";

const LONGEST = 40;

/** The title of a thread, made from its first prompt. No title holds a control character. */
export function titleFrom(prompt: string): string {
  const characters = [...prompt.replace(/[\s\p{Cc}]+/gu, " ").trim()];
  return characters.length <= LONGEST ? characters.join("") : `${characters.slice(0, LONGEST - 1).join("")}…`;
}

/** A title that no thread of the workspace has: the wanted one, or that with a number. */
export function freeTitle(workspace: Workspace, wanted: string): string {
  const taken = new Set(workspace.threads().map(({ title }) => title));
  const title = wanted.trim() || "Thread";
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? title : `${title} ${number}`;
    if (!taken.has(name)) return name;
  }
}
