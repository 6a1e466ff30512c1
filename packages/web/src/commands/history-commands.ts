/** Undo, redo and taking back one thing: each with a preview where something is kept, in conflict or irreversible. */
import { ApiError } from "@retake/client";
import { plural, type TakenBack } from "@retake/client/screen";
import { client } from "../data/connection.ts";
import { sayError } from "../data/notices.ts";
import { type PlanRequest, type Preview, startPlan } from "../data/plan.ts";
import { messageOf } from "../data/session.ts";
import { type Focus, habits } from "../data/view-state.ts";
import { attempt, sayChanged } from "./way-back.ts";

/** Takes back the last turns. */
export function undoTurns(thread: string, turns = 1, preview: Preview = habits.value.preview): Promise<void> {
  return undo(thread, `Undo ${plural(turns, "turn")}`, preview, { turns });
}

/** Takes back a turn and everything after it, be it a turn or a change of the whole thread. */
export function undoToBefore(thread: string, turn: string, isNewest: boolean): Promise<void> {
  return undo(thread, isNewest ? "Undo 1 turn" : `Undo to before ${turn}`, "always", { to: turn });
}

function undo(thread: string, title: string, preview: Preview, body: object): Promise<void> {
  return plan(thread, title, preview, {
    takesBack: true,
    scopes: true,
    prompts: true,
    call: (options) => client.undo(thread, { ...body, ...(options as object) }),
  });
}

export function redo(thread: string): Promise<void> {
  return plan(thread, "Bring back", "when-needed", { call: (options) => client.redo(thread, options as object) });
}

/** Takes back one turn or one tool call, and keeps what came later. */
export function takeBack(thread: string, focus: Pick<Focus, "kind" | "name">): Promise<void> {
  const what = focus.kind === "call" ? { call: focus.name } : { turn: focus.name };
  return plan(thread, `Take back ${focus.name}`, "always", {
    takesBack: true,
    call: (options) => client.revert(thread, { ...what, ...(options as object) }),
  });
}

export function branchAt(thread: string, entry: string, edit?: EditedBranch): Promise<void> {
  const title = edit ? "Save as a new take" : "Branch here";
  const body = edit ? { entry, content: edit.content } : { entry };
  return plan(thread, title, "when-needed", {
    call: (options) => client.branch(thread, { ...body, ...(options as object) }) as Promise<TakenBack>,
    done: (answer) => {
      sayChanged(thread, answer, title);
      edit?.done();
    },
  });
}

/** Takes the last turn back and asks again, with the same prompt or another one. */
export function tryAgain(thread: string, prompt?: string): Promise<boolean> {
  return attempt(thread, "Asked again.", async () => {
    const { taken_back } = await client.retry(thread, prompt === undefined ? {} : { prompt });
    return taken_back;
  });
}

/** Ends the wait of a turn for its next try. */
export async function tryNow(thread: string, turn: string): Promise<void> {
  await client.tryNow(thread, turn, {}).catch((error) => sayError(messageOf(error)));
}

/** Takes the last turn back and asks another model. `running` is the turn if it still runs: it is stopped first. */
export function tryWith(thread: string, model: string, running?: string): Promise<boolean> {
  return attempt(thread, `Asked ${model}.`, async () => {
    if (running !== undefined) await client.interruptTurn(thread, running, {});
    const { taken_back } = await client.retry(thread, { model });
    return taken_back;
  });
}

/**
 * Asks again with another prompt, in the place of the turn. Where later turns follow, a new take is made for it, and they
 * stay in the one that is left.
 */
export async function runAgain(thread: string, prompt: PromptEntry, { content, done }: EditedBranch): Promise<void> {
  const asked = async () => {
    if (await tryAgain(thread, content)) done();
  };
  if (prompt.isLast) return asked();
  return plan(thread, "Run again in a new take", "when-needed", {
    call: (options) => client.branch(thread, { entry: prompt.entry, ...(options as object) }) as Promise<TakenBack>,
    done: () => void asked(),
  });
}

interface PromptEntry {
  readonly entry: string;
  /** Whether no turn follows. */
  readonly isLast: boolean;
}

interface EditedBranch {
  /** The text of the entry in the new take. */
  readonly content: string;
  /** Called once the take is there; until then the edit must be kept. */
  readonly done: () => void;
}

/** The last switch of each thread. */
const lastSwitches = new Map<string, Promise<void>>();

/**
 * Switches to a take, after the switches before it. The take on the screen may not be the active one any more, because a
 * switch is under way: so the server decides whether there is anything to do.
 */
export function switchTake(thread: string, take: string, name: string): Promise<void> {
  const start = () =>
    plan(thread, `Switch to ${name}`, "when-needed", {
      call: (options) => client.switchTake(thread, take, options as object) as Promise<TakenBack>,
      nothing: () => {},
    });
  const done = (lastSwitches.get(thread) ?? Promise.resolve()).then(start);
  lastSwitches.set(thread, done);
  return done;
}

/** Deletes a take, softly. Where it is the active one, another one becomes active, with its files. */
export function deleteTake(thread: string, take: string, name: string): Promise<void> {
  return plan(thread, `Delete ${name}`, "when-needed", {
    call: (options) => client.deleteTake(thread, take, options as object) as Promise<TakenBack>,
  });
}

/** Ctrl+Z: the last step of any kind, without a preview; a conflict shows one. */
export async function undoStep(thread: string): Promise<void> {
  const call: PlanRequest["call"] = (options) => client.undo(thread, { steps: 1, ...(options as object) });
  await direct(thread, "Undo the last step", { call, takesBack: true });
}

export async function redoStep(thread: string): Promise<void> {
  await direct(thread, "Redo", { call: (options) => client.redo(thread, options as object) });
}

async function direct(thread: string, title: string, request: Omit<PlanRequest, "title">): Promise<void> {
  try {
    sayChanged(thread, await request.call({}), title);
  } catch (error) {
    if (error instanceof ApiError && error.code === "conflict") await plan(thread, title, "always", request);
    else sayError(messageOf(error));
  }
}

function plan(thread: string, title: string, preview: Preview, request: Omit<PlanRequest, "title">): Promise<void> {
  return startPlan({ title, done: (answer) => sayChanged(thread, answer, title), ...request }, preview);
}
