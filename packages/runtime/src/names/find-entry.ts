import {
  activeTake,
  type Entry,
  entries,
  entriesBack,
  entryById,
  entryIdAt,
  isRefusal,
  parseNumberedName,
  type Refusal,
  type State,
  type TakeId,
  turn,
} from "@retake/core";
import type { NameScope } from "../store/name-index.ts";
import { findTurn } from "./find-turn.ts";
import { nameOfEntry } from "./name-things.ts";
import { notFound } from "./not-found.ts";

/** An entry of a take, now or as it was: by its name (`#7.2`, or its id where no turn wrote it) or by its id. */
export function findEntry(
  scope: NameScope,
  name: string,
  state: State = scope.history.state,
  take: TakeId = activeTake(state),
): Entry | Refusal {
  const byId = entryById(state, take, name);
  if (byId) return byId;
  const parsed = parseNumberedName(name);
  if (parsed === undefined) return notFound("entry", name, "in this take", lastNames(scope, state, take));
  const turns = scope.index.numbered(scope.thread, parsed.number).map(({ id }) => id);
  if (parsed.kind === "entry")
    for (const id of turns) {
      const entry = entryById(state, take, entryIdAt(id, parsed.place));
      if (entry) return entry;
    }
  const own = turns.flatMap((id) => entriesOf(state, take, id)).map(({ id }) => nameOfEntry(scope, id));
  return notFound(
    "entry",
    name,
    "in this take",
    own.length > 0 ? own.slice(0, MOST_NEAR) : lastNames(scope, state, take),
  );
}

/** A tool call of the active take, by its name, its result's entry, or the id that the model gave it: its result. */
export function findCall(scope: NameScope, name: string): Entry | Refusal {
  const { state } = scope.history;
  const entry = findEntry(scope, name);
  if (!isRefusal(entry) && entry.tool_result) return entry;
  // The last one: models use the same id in several turns.
  for (const each of entriesBack(state, activeTake(state))) if (each.tool_result?.call_id === name) return each;
  return notFound("call", name, "in this take", isRefusal(entry) ? [] : callsOf(scope, entry));
}

/** Where a branch begins: an entry, or the last entry of a turn. */
export function findBranchEntry(scope: NameScope, name: string): Entry | Refusal {
  const { state } = scope.history;
  const entry = findEntry(scope, name);
  if (!isRefusal(entry)) return entry;
  const start = findTurn(scope, name);
  return (isRefusal(start) ? undefined : entriesOf(state, activeTake(state), start.id).at(-1)) ?? entry;
}

const MOST_NEAR = 8;

/** A turn's entries follow its prompt. If the prompt is gone, the whole conversation is searched. */
function entriesOf(state: State, take: TakeId, id: string): Entry[] {
  const record = turn(state, take, id);
  if (!record) return [];
  const prompt = entryById(state, take, record.prompt_entry);
  const found: Entry[] = [];
  for (const entry of entries(state, take, prompt)) {
    if (entry.turn_id === id) found.push(entry);
    else if (entry.turn_id !== undefined && found.length > 0) break;
  }
  return found;
}

function lastNames(scope: NameScope, state: State, take: TakeId): string[] {
  const [last] = entriesBack(state, take);
  return last ? [nameOfEntry(scope, last.id)] : [];
}

function callsOf(scope: NameScope, entry: Entry): string[] {
  const { state } = scope.history;
  const own = entry.turn_id === undefined ? [] : entriesOf(state, activeTake(state), entry.turn_id);
  return own.filter(({ tool_result }) => tool_result).map(({ id }) => nameOfEntry(scope, id));
}
