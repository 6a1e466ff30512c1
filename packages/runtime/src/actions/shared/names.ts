import {
  activeTake,
  isRefusal,
  parseNumberedName,
  type Refusal,
  type State,
  staleRefusal,
  type TakeId,
  takeById,
} from "@retake/core";
import { findCall, findEntry } from "../../names/find-entry.ts";
import { findPoint } from "../../names/find-point.ts";
import { findTake } from "../../names/find-take.ts";
import { findThreadId } from "../../names/find-thread.ts";
import { findTurn } from "../../names/find-turn.ts";
import type { NameScope } from "../../store/name-index.ts";
import { RefusedError } from "../../undo/thread-files.ts";
import type { ActionContext } from "../action.ts";

type Call = ActionContext & { readonly params: Params };
type Params = Readonly<Record<string, string>>;

/** Actions whose `id` is no thread. */
const OF_OTHERS: readonly string[] = ["diffSnapshot", "restoreSnapshot", "getSession", "resumeSession"];

/** Has every action take names where its path takes ids; a name that means nothing is its answer. */
export function withNames<Actions extends object>(actions: Actions): Actions {
  const wrapped = Object.entries(actions).map(([name, action]) => {
    const named = OF_OTHERS.includes(name) ? action : (call: Call) => action(withIds(call));
    return [name, (call: Call) => refusalOr(() => named(call))] as const;
  });
  return Object.fromEntries(wrapped) as Actions;
}

/** The ids of the things that the path of a call names. */
export function idsOf(call: Pick<Call, "runtime" | "root" | "change" | "params">): Params {
  const { id: thread, ...others } = call.params;
  if (thread === undefined) return call.params;
  const ids: Record<string, string> = { ...others, id: threadNamed(call, thread) };
  for (const [name, value] of Object.entries(others)) {
    // Without a number it is an id, and the action looks that up itself.
    if (name === "entry" && parseNumberedName(value) === undefined) continue;
    const find = Object.hasOwn(FINDERS, name) ? FINDERS[name] : undefined;
    if (find) ids[name] = lookUp(call, ids["id"] ?? "", (scope) => find(scope, value)).id;
  }
  return ids;
}

/** The id of a thread, which is named by it or by its title in the directory that is meant. */
export function threadNamed({ runtime, root }: Pick<Call, "runtime" | "root">, name: string): string {
  const found = findThreadId({ store: runtime.store, root }, name);
  if (typeof found === "string") return found;
  throw new RefusedError(found);
}

/** Finds a name in a thread. Throws a refusal if there is none: the stale one if the caller has an old version. */
export function lookUp<T extends object>(
  { runtime, change }: Pick<Call, "runtime" | "change">,
  thread: string,
  find: (scope: NameScope) => T | Refusal,
): T {
  return runtime.store.names(thread, (scope) => {
    const found = find(scope);
    return must(isRefusal(found) ? (staleRefusal(scope.history, change.expectedVersion) ?? found) : found);
  });
}

/** The take that is named, also a deleted one by its id; the active one where none is named. */
export function takeNamed(state: State, name: string | undefined): TakeId {
  if (name === undefined) return activeTake(state);
  return takeById(state, name) ? name : must(findTake(state, name)).id;
}

/** The id of an entry of a take, as that is or was. */
export function entryNamed(scope: NameScope, name: string, state: State, take: TakeId): string {
  return must(findEntry(scope, name, state, take)).id;
}

/** The id of a turn. One that waits has no number yet, and is known by its id to the process that runs it. */
export function turnNamed(scope: NameScope, name: string): string {
  const found = findTurn(scope, name);
  return isRefusal(found) ? name : found.id;
}

type Find = (scope: NameScope, name: string) => { readonly id: string } | Refusal;

const take: Find = ({ history }, name) => findTake(history.state, name);

const FINDERS: Readonly<Record<string, Find>> = {
  entry: (scope, name) => findEntry(scope, name),
  op: (scope, name) => {
    const point = findPoint(scope, name);
    return isRefusal(point) ? point : { id: point.operation };
  },
  take,
  a: take,
  b: take,
  turn: (scope, name) => ({ id: turnNamed(scope, name) }),
  // A call is waited for under the id that the model gave it.
  call: (scope, name) => {
    const found = findCall(scope, name);
    return { id: isRefusal(found) ? name : (found.tool_result?.call_id ?? name) };
  },
};

/** Most calls name everything by its id, and stay as they are. */
function withIds(call: Call): Call {
  const ids = idsOf(call);
  if (Object.entries(call.params).every(([name, value]) => ids[name] === value)) return call;
  // Not read: the signal is made when it is asked for.
  const properties = { ...Object.getOwnPropertyDescriptors(call), params: { value: ids, enumerable: true } };
  return Object.defineProperties({}, properties) as Call;
}

function must<T>(found: T | Refusal): T {
  if (isRefusal(found)) throw new RefusedError(found);
  return found;
}

/** Returns the answer of an action. A thrown refusal is an answer too. */
export function refusalOr<T>(run: () => T | Promise<T>): T | Refusal | Promise<T | Refusal> {
  try {
    const done = run();
    return done instanceof Promise ? done.catch(refusalIn) : done;
  } catch (error) {
    return refusalIn(error);
  }
}

function refusalIn(error: unknown): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  throw error;
}
