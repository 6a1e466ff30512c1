import type { Seen } from "./states-of.ts";

/**
 * The effects of each group of operations on entries. When a group is undone, each entry that it alone had touched is
 * again what it was before, or is gone if it was not there; all others are as they were, in the same order.
 */
export class Touches {
  /** By group: the entries it touched, with what they held before (undefined: they were not there). */
  readonly #groups = new Map<string, Map<string, string | undefined>>();

  note(group: string, before: Seen, after: Seen): void {
    const touched = this.#groups.get(group) ?? new Map<string, string | undefined>();
    this.#groups.set(group, touched);
    const [was, is] = [new Map(before.entries), new Map(after.entries)];
    for (const id of new Set([...was.keys(), ...is.keys()]))
      if (was.get(id) !== is.get(id) && !touched.has(id)) touched.set(id, was.get(id));
  }

  /** Forgets the groups, which are undone; answers what that did otherwise than it should. */
  undo(groups: readonly string[], before: Seen, after: Seen): string[] {
    const own = new Map<string, string | undefined>();
    for (const group of groups) {
      // Newest first, so that the oldest group decides the content before.
      for (const [id, content] of this.#groups.get(group) ?? []) own.set(id, content);
      this.#groups.delete(group);
    }
    const shared = new Set([...this.#groups.values()].flatMap((touched) => [...touched.keys()]));
    const is = new Map(after.entries);
    const problems = [...own].flatMap(([id, content]) =>
      shared.has(id) || is.get(id) === content ? [] : [`${id} is ${is.get(id)}, not ${content}`],
    );
    const others = (seen: Seen) => JSON.stringify(seen.entries.filter(([id]) => !own.has(id)));
    if (others(before) !== others(after)) problems.push(`of others, ${others(before)} became ${others(after)}`);
    return problems;
  }
}
