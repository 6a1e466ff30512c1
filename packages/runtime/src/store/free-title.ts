import { UNTITLED } from "@retake/core";

/** A title that no thread of the workspace has: the wanted one, or that with a number. */
export function freeTitle(workspace: { threads(): readonly { readonly title: string }[] }, wanted: string): string {
  const taken = new Set(workspace.threads().map(({ title }) => title));
  const title = wanted.trim() || UNTITLED;
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? title : `${title} ${number}`;
    if (!taken.has(name)) return name;
  }
}
