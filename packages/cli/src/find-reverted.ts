import { activeTake, entries, type RevertRequest, type State, type TakeId } from "@retake/core";
import { turnNumbers } from "@retake/runtime";
import { type Call, wrongUsage } from "./command.ts";
import { findTurn } from "./find-turn.ts";
import { onlyOne } from "./only-one.ts";

/** What `revert` is told to take back: a turn by its number or id, a tool call, or an operation. */
export function findReverted(call: Call, name: string | undefined): RevertRequest {
  if (name === undefined)
    throw wrongUsage("Name a turn by its number, a tool call or an operation. See retake history.");
  return call.workspace.store.read(call.thread, ({ state }) => {
    const take = activeTake(state);
    const numbered = findTurn(state, name);
    if (numbered !== undefined) return { turn: numbered };
    const turns = turnNumbers(state, take);
    const found: Named[] = [
      ...[...turns.keys()].map((id): Named => ({ id, request: { turn: id } })),
      ...callsOf(state, take).map((id): Named => ({ id, request: { call: id } })),
      ...call.workspace.store.operationIds(call.thread, name).map((id): Named => ({ id, request: { operation: id } })),
    ];
    const begun = found.filter(({ id }) => id.startsWith(name));
    return onlyOne(ANY, name, begun, ({ id }) => id).request;
  });
}

interface Named {
  readonly id: string;
  readonly request: RevertRequest;
}

function callsOf(state: State, take: TakeId): string[] {
  const ids = [...entries(state, take)].flatMap(({ tool_result: result }) => (result ? [result.call_id] : []));
  return [...new Set(ids)];
}

const ANY = {
  one: "what to revert",
  noun: "operation, turn or call",
  many: "operations, turns and calls",
  list: "retake history --all",
};
