import type { Meaning } from "./learner.ts";
import type { Facts } from "./naive-model.ts";
import type { Walker } from "./walker.ts";

/** Building blocks for the steps of a random walk. */

/** `a` and `b` pick the target and the variant. */
export type Action = (walker: Walker, a: number, b: number) => void;

export function step(take: string, run: (facts: Facts) => unknown): Meaning {
  return { role: "step", takes: new Map([[take, (facts: Facts) => void run(facts)]]) };
}

export function patch(key: string, fields: Readonly<Record<string, unknown>>): (facts: Facts) => void {
  return (facts) => {
    const before = facts.get(key);
    if (before) facts.set(key, { ...before, ...fields });
  };
}

export function onEntry(walker: Walker, pick: number, act: (entry: string) => void): void {
  const entry = walker.order[pick % Math.max(1, walker.order.length)];
  if (entry !== undefined) act(entry);
}

export function onTake(walker: Walker, pick: number, act: (take: string) => void): void {
  const takes = liveTakes(walker.model.threadFacts);
  const take = takes[pick % takes.length]?.[0];
  if (take !== undefined) act(take);
}

export function liveTakes(thread: Facts): [take: string, name: string][] {
  return [...thread]
    .filter(([key, fact]) => key.startsWith("take:") && fact["deleted"] === false)
    .map(([key, fact]) => [key.slice("take:".length), fact["name"] as string]);
}

export function rolesOf(walker: Walker): readonly string[] {
  return rolesIn(walker.model.facts(walker.take));
}

export function rolesIn(facts: Facts): readonly string[] {
  const list = facts.get("roles")?.["list"];
  return (list as readonly string[] | undefined) ?? ["User", "AI", "Vendor API", "System"];
}

/** Sets everything that differs from an earlier moment back to it, field by field. */
export function towards(now: Facts, then: Facts): (facts: Facts) => void {
  return (facts) => {
    for (const key of new Set([...now.keys(), ...then.keys()])) {
      const [from, to] = [now.get(key), then.get(key)];
      if (!to) facts.delete(key);
      else if (!from) facts.set(key, to);
      else if (from !== to && facts.has(key)) {
        const record: Record<string, unknown> = { ...facts.get(key) };
        for (const field of Object.keys({ ...from, ...to })) {
          if (JSON.stringify(from[field]) === JSON.stringify(to[field])) continue;
          if (field in to) record[field] = to[field];
          else delete record[field];
        }
        facts.set(key, record);
      }
    }
  };
}
