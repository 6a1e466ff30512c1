import { isRefusal, liveTakes, type Refusal, type Take } from "@retake/core";
import type { Store } from "../store/open-store.ts";
import type { ThreadSummary } from "../store/thread-store.ts";
import { findTake } from "./find-take.ts";
import { ambiguous, nearIn, notFound } from "./not-found.ts";

/** The directory whose threads have names: a `Workspace` is one. */
interface Here {
  readonly store: Store;
  readonly root: string;
}

/**
 * A thread by its title, which names one of this workspace that is not deleted, or by its id, which names any, so that a
 * deleted one can be brought back.
 */
export function findThread({ store, root }: Here, name: string): ThreadSummary | Refusal {
  const byId = store.thread(name);
  if (byId) return byId;
  const damage = store.damageOf(name);
  if (damage) throw damage;
  const here = store.threads(root);
  const [first, ...others] = here.filter(({ title }) => title === name);
  if (first && others.length > 0)
    return ambiguous(
      "thread",
      name,
      [first, ...others].map(({ id }) => id),
    );
  return first ?? notFound("thread", name, "in this workspace", here.map(({ title }) => title).slice(0, MOST_NEAR));
}

/** The same where only the id is wanted: one that is an id already is not read. */
export function findThreadId(here: Here, name: string): string | Refusal {
  if (here.store.has(name)) return name;
  const found = findThread(here, name);
  return isRefusal(found) ? found : found.id;
}

export type ThreadOrTake =
  | { readonly kind: "take"; readonly take: Take }
  | { readonly kind: "thread"; readonly thread: ThreadSummary };

/** Finds a take of the thread, or a thread. A name that means both is ambiguous; the refusal names the ids. */
export function findThreadOrTake(here: Here, current: string, name: string): ThreadOrTake | Refusal {
  const thread = findThread(here, name);
  const take = here.store.read(current, ({ state }) => findTake(state, name));
  if (isRefusal(take)) {
    if (!isRefusal(thread)) return { kind: "thread", thread };
    if (thread.code === "ambiguous") return thread;
    return notFound("thread or take", name, "in this workspace", [...nearIn(take), ...nearIn(thread)]);
  }
  if (isRefusal(thread) && thread.code === "not-found") return { kind: "take", take };
  const threads = isRefusal(thread) ? nearIn(thread) : [thread.id];
  return ambiguous("thread or take", name, [...threads.map((id) => `the thread ${id}`), `the take ${take.id}`]);
}

/** The title of a thread where that names it, and its id where something else is called so too. */
export function threadNames(
  { store, root: here }: Here,
  current: string | undefined,
): (thread: ThreadSummary) => string {
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const { title } of store.threads(here)) count(title);
  const takes = current === undefined ? [] : store.read(current, ({ state }) => liveTakes(state));
  for (const { name } of takes) count(name);
  return ({ id, title, deleted, workspace_root: root }) =>
    !deleted && root === here && counts.get(title) === 1 ? title : id;
}

const MOST_NEAR = 8;
