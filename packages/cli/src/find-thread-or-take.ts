import { liveTakes, type Take } from "@retake/core";
import type { ThreadSummary } from "@retake/runtime";
import { type Call, notFound, wrongUsage } from "./command.ts";
import { findTake, takesNamed } from "./find-take.ts";
import { findThread, threadsNamed } from "./find-thread.ts";
import { ambiguous } from "./only-one.ts";

export type ThreadOrTake =
  | { readonly kind: "take"; readonly take: Take }
  | { readonly kind: "thread"; readonly thread: ThreadSummary };

/**
 * What `switch`, `rename` and `delete` are told to act on. A thread and its first take are born with the
 * same name: as long as that take is the only one the thread is meant, and afterwards the take.
 */
export function findThreadOrTake(call: Call, name: string | undefined): ThreadOrTake {
  if (name === undefined || name === "")
    throw wrongUsage("Name a thread or a take. retake threads and retake takes list them.");
  const { workspace } = call;
  const threads = threadsNamed(workspace, name);
  const { takes, only, take } = workspace.store.read(call.thread, ({ state }) => {
    const found = takesNamed(state, name);
    return {
      takes: found,
      only: liveTakes(state).length === 1,
      take: found.length === 0 ? undefined : () => findTake(state, name),
    };
  });
  const called = takes.some((each) => each.name === name || each.id === name);
  if (take && (threads.length === 0 || (called && !only))) return { kind: "take", take: take() };
  if (take && !called) throw ambiguous(name, "threads and takes");
  if (threads.length === 0)
    throw notFound(`There is no thread or take '${name}'. retake threads and retake takes list them.`);
  return { kind: "thread", thread: findThread(workspace, name) };
}
