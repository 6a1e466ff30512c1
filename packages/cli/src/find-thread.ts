import type { ThreadSummary, Workspace } from "@retake/runtime";
import { notFound } from "./command.ts";
import { onlyOne } from "./only-one.ts";

/** By id, by title, by the beginning of an id; without a name, the one that the workspace stands at. */
export function findThread(workspace: Workspace, name: unknown): ThreadSummary {
  if (typeof name === "string") {
    const found = threadsNamed(workspace, name);
    const damage = found.length === 0 ? workspace.store.damageOf(name) : undefined;
    if (damage) throw damage;
    return onlyOne(THREAD, name, found, ({ id }) => id);
  }
  const current = workspace.currentThread();
  if (!current) throw notFound("There is no discussion in this workspace yet. Begin one: retake run <prompt>");
  return current;
}

/**
 * The threads that a name could mean. A title names a thread of this workspace that is not deleted; an
 * id names any, so that a deleted one can be brought back.
 */
export function threadsNamed(workspace: Workspace, name: string): ThreadSummary[] {
  const all = workspace.store.everyThread();
  const exact = all.filter(({ id }) => id === name);
  if (exact.length > 0) return exact;
  const titled = workspace.threads().filter(({ title }) => title === name);
  if (titled.length > 0) return titled;
  return all.filter(({ id }) => name !== "" && (id.startsWith(name) || id.startsWith(`T-${name}`)));
}

const THREAD = { one: "a thread", noun: "thread", many: "threads", list: "retake threads" };
