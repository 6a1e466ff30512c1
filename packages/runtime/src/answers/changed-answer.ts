import {
  type Built,
  type Context,
  type History,
  isRefusal,
  type Operation,
  type Refusal,
  type State,
} from "@retake/core";
import type { ChangeOptions, Store } from "../store/open-store.ts";
import type { ChangedWithFiles } from "../undo/take-back.ts";
import { type FilesAnswer, filesAnswer } from "./files-answer.ts";
import { onceMore } from "./once-more.ts";
import type { Outcome } from "./outcome.ts";
import { type TakenBack, takenBackBy } from "./taken-back-by.ts";

/** The answer to a change, the same on the command line and over HTTP; `More` adds fields of one action. */
export type ChangedAnswer<More extends object = object> = Partial<TakenBack> & {
  readonly op_id: string | null;
  readonly version: number;
  /** The description of the operation. */
  readonly description?: string;
  /** Why there was nothing to do. */
  readonly message?: string;
} & More;

/**
 * `more` reads the state after the change. Others may have changed the thread since, so the version and the state are
 * the operation's own: a client that goes on from that version receives everything after it.
 */
export function changedOutcome<More extends object>(
  store: Store,
  thread: string,
  done: Operation | Refusal,
  more: (state: State) => More,
): Outcome<ChangedAnswer<More>> {
  if (isRefusal(done) && done.code !== "nothing-to-do") return done;
  const look = (history: History) => {
    // "Nothing to do" is no failure: the requested state is there already.
    if (isRefusal(done))
      return { op_id: null, message: done.message, version: history.state.version, ...more(history.state) };
    const state = history.state.head === done.id ? history.state : history.stateAt(done.id);
    return { ...operationAnswer(history, done), ...more(state) };
  };
  return { kind: "answer", answer: onceMore(() => store.read(thread, look)) };
}

/** Makes a change that leaves the files alone, and tells of it from the state that it leads to: nothing is read again. */
export function changeOutcome<More extends object>(
  store: Store,
  thread: string,
  build: (state: State, context: Context) => Built,
  options: ChangeOptions,
  more: (state: State) => More,
): Outcome<ChangedAnswer<More>> {
  let said: More | undefined;
  const done = store.change(thread, build, options, (state) => {
    said = more(state);
  });
  if (isRefusal(done) || !said) return changedOutcome(store, thread, done, more);
  return { kind: "answer", answer: { ...operationAnswer(undefined, done), ...said } };
}

/** The fields that the answer to every change has. */
export function operationAnswer(history: History | undefined, operation: Operation) {
  const { id, version, description } = operation;
  return { op_id: id, version, description, ...takenBackBy(history, operation) };
}

/** The same for a change that the files followed. */
export function changedWithFilesOutcome<More extends object>(
  store: Store,
  thread: string,
  done: ChangedWithFiles,
  more: (state: State) => More,
): Outcome<ChangedAnswer<More & Partial<FilesAnswer> & { readonly plan_id?: string }>> {
  if (done.kind === "busy") return done;
  if (done.kind === "refused") return changedOutcome(store, thread, done, more);
  const files = filesAnswer({ ...done, refused: done.kind === "conflicts" && !done.dryRun });
  if (done.kind === "done")
    return changedOutcome(store, thread, done.operation, (state) => ({ ...more(state), ...files }));
  const { plan_id } = done.foreseen;
  if (done.kind === "conflicts") return { kind: "conflicts", answer: { ...files, plan_id } };
  const answer = store.read(thread, ({ state }) => ({
    op_id: null,
    version: state.version,
    plan_id,
    ...more(state),
    ...files,
  }));
  return { kind: "answer", answer };
}
