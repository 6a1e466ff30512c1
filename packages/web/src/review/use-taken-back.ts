import { liveGroups } from "@retake/core";
import { useCallback, useMemo, useState } from "react";
import type { Session } from "../data/session.ts";

/** Parts of a review that were taken back, with the operation that did it. */
export type PartsBack = ReadonlyMap<string, string>;

/** How far back it is looked whether an operation is still in force. */
const MOST_GROUPS = 500;

/**
 * A part that was taken back from a review stays visible, struck, until the panel is closed. It is as before when its
 * operation was undone meanwhile.
 */
export function useTakenBack(session: Session, version: number | undefined) {
  const [all, setAll] = useState<PartsBack>(new Map());
  const note = useCallback(
    (parts: readonly string[], operation: string) =>
      setAll((before) => new Map([...before, ...parts.map((part) => [part, operation] as const)])),
    [],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version says when other operations are in force
  const inForce = useMemo(() => {
    if (all.size === 0) return all;
    const operations = operationsInForce(session);
    return new Map([...all].filter(([, operation]) => operations.has(operation)));
  }, [all, session, version]);
  return { parts: inForce, note };
}

function operationsInForce(session: Session): ReadonlySet<string> {
  const { view } = session.store.value;
  const found = new Set<string>();
  if (!view) return found;
  for (const { record } of liveGroups(view.state, view.take)) {
    if (found.size >= MOST_GROUPS) break;
    found.add(record.id);
  }
  return found;
}
