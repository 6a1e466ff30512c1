import {
  activeTake,
  type Built,
  branch,
  type Context,
  completePlan,
  createThread,
  entries,
  entryAt,
  finishTurn,
  listHistory,
  MemoryHistory,
  type Nothing,
  type Plan,
  planRedo,
  planUndo,
  type Refusal,
  resetSession,
  setting,
  startTurn,
  streamTurn,
  takeById,
} from "@retake/core";

/**
 * Plays a short session through the core and tells what happens: three turns, undo, redo, a branch,
 * and a reset that one undo takes back. Nothing is written anywhere.
 */
export function* tour(): IterableIterator<string> {
  const session = new TourSession();
  yield "Retake: everything can be taken back. A short tour, in memory only.";
  yield "";
  for (const prompt of ["Add a login page", "Style it", "Add a footer"]) session.turn(prompt);
  yield* session.show("Three turns");
  session.carryOut(planUndo(session.history, { count: 2 }));
  yield* session.show("undo 2");
  yield `  The draft is now: "${setting(session.history.state, activeTake(session.history.state), "draft")}"`;
  session.carryOut(planRedo(session.history));
  yield* session.show("redo");
  const first = entryAt(session.history.state, "main", 1)?.id ?? "";
  session.commit(branch(session.history.state, session.context(), { entry: first, take: "second" }));
  session.turn("Use a dialog instead");
  yield* session.show("Branch at the first answer, and another prompt there");
  session.commit(resetSession(session.history.state, session.context()));
  yield* session.show("reset");
  session.carryOut(planUndo(session.history));
  yield* session.show("undo");
  yield "";
  yield "The history, newest first (all of it stays, and any point can be jumped to):";
  for (const { operation, undone } of listHistory(session.history)) {
    if (operation.id === operation.group) yield `  ${undone ? "undone " : "       "}${operation.description}`;
  }
}

class TourSession {
  readonly history = new MemoryHistory();
  #ids = 0;

  constructor() {
    const origin = { id: "T-tour", workspace_root: "", cwd: "", retake_version: "", private: true };
    this.commit(createThread(this.context(), { origin, take: "main", name: "tour" }));
  }

  context(): Context {
    this.#ids += 1;
    return { id: `op-${this.#ids}`, at: Date.now(), actor: { kind: "user" } };
  }

  commit(built: Built): void {
    if (built.kind === "refused") throw new Error(built.message);
    this.history.commit(built.operation);
  }

  carryOut(plan: Plan | Nothing | Refusal): void {
    if (plan.kind === "plan") this.commit(completePlan(this.history, this.context(), plan));
  }

  turn(prompt: string): void {
    this.#ids += 1;
    const turn_id = `turn-${this.#ids}`;
    const { history } = this;
    this.commit(
      startTurn(history.state, this.context(), { turn_id, prompt: { id: `${turn_id}-prompt`, content: prompt } }),
    );
    this.commit(
      streamTurn(history.state, this.context(), {
        turn_id,
        entry: `${turn_id}-answer`,
        text: `Done: ${prompt.toLowerCase()}.`,
      }),
    );
    this.commit(finishTurn(history.state, this.context(), { turn_id, status: "finished" }));
  }

  *show(title: string): IterableIterator<string> {
    const take = activeTake(this.history.state);
    yield `${title}  (${takeById(this.history.state, take)?.name})`;
    const list = [...entries(this.history.state, take)];
    if (list.length === 0) yield "  nothing";
    for (const entry of list) yield `  ${entry.role.padEnd(5)} ${entry.content}`;
  }
}
