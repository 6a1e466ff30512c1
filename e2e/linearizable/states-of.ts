import { activeTake, entries, MemoryHistory, type Operation, type State, settings } from "@retake/core";

/** The state of a thread at one version, as the clients of the test see it. */
export interface Seen {
  readonly head: string | null;
  readonly entries: readonly (readonly [id: string, content: string])[];
  readonly draft: string;
}

/** The thread at each version from 0 on, as its operations give it when they are folded. */
export function statesOf(operations: readonly Operation[]): Seen[] {
  const history = new MemoryHistory();
  const states = [{ head: null, entries: [], draft: "" } as Seen];
  for (const operation of operations) {
    history.commit(operation);
    states.push(seenIn(history.state));
  }
  return states;
}

function seenIn(state: State): Seen {
  const take = activeTake(state);
  const list = [...entries(state, take)].map(({ id, content }) => [id, content] as const);
  return { head: state.head, entries: list, draft: settings(state, take).draft };
}
