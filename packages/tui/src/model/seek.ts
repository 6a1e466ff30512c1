/**
 * Goes to the beginning of the conversation, or to an entry that was searched for: first its thread is shown, then its take is
 * switched to, after a look at what that does to the files, then the window is moved until it holds the entry. Each view takes the
 * next of these steps; a key ends it.
 */
import type { SessionView } from "@retake/client";
import { entryCount, liveTakes, promptEntryId } from "@retake/core";
import { talkLayout } from "../screens/talk.ts";
import { anchorFor, shownRows } from "../screens/transcript.ts";
import { switchTo } from "./actions.ts";
import type { Model, Sought } from "./model.ts";
import { type Step, say, step } from "./step.ts";

/** So many entries before it are read, too. */
const BEFORE = 50;
/** A window has no more entries than this. */
const MOST_ENTRIES = 2000;
const TOO_FAR = "That lies too far back to be shown here: Ctrl+O shows everything.";

export function seek(model: Model): Step {
  const { sought, view } = model;
  if (!sought || view?.thread !== sought.thread) return step(model);
  if (sought.entry === undefined) return view.take === sought.take ? seekStart(model, view) : step(model);
  if (view.take !== sought.take) return sought.asked === "take" ? step(model) : switchToTake(model, sought);
  const { entry } = sought;
  const key = rowWith(model, entry);
  if (key !== undefined) {
    const found: Model = { ...model, sought: undefined, state: "moving", focus: key };
    const { width, height } = talkLayout(found);
    return step({ ...found, anchor: anchorFor(found, key, width, height) });
  }
  if (sought.asked !== "before" && sought.asked !== "after")
    return step(
      { ...model, sought: { ...sought, asked: "before" } },
      { kind: "show", window: { before: entry, count: BEFORE } },
    );
  if (view.next !== null) return step({ ...model, sought: { ...sought, asked: "after" } });
  if (sought.asked === "before") return step(model);
  return say({ ...model, sought: undefined }, TOO_FAR);
}

/** Goes to the first row of the conversation. Until it is read, the first one of the window is shown. */
export function goToStart(model: Model): Step {
  const { view } = model;
  const shown = atFirstRow(model);
  if (!view || view.previous === null) return step(shown);
  const window = { from: null, to: null, groups: view.groups };
  const sought: Sought = { thread: view.thread, take: view.take, entry: undefined };
  return isFull(view) ? say(shown, TOO_FAR) : step({ ...shown, sought }, { kind: "show", window });
}

function seekStart(model: Model, view: SessionView): Step {
  if (view.previous === null) return step(atFirstRow({ ...model, sought: undefined }));
  return isFull(view) ? say(atFirstRow({ ...model, sought: undefined }), TOO_FAR) : step(model);
}

function atFirstRow(model: Model): Model {
  const [first] = shownRows(model);
  if (!first) return model.state === "moving" ? { ...model, state: "typing" } : model;
  const focus = model.state === "moving" ? first.key : model.focus;
  return { ...model, focus, anchor: { row: first.key, line: 0 } };
}

function isFull({ state, take }: SessionView): boolean {
  return entryCount(state, take) >= MOST_ENTRIES;
}

function switchToTake(model: Model, sought: Sought): Step {
  const take = model.view && liveTakes(model.view.state).find(({ id }) => id === sought.take);
  if (!take) return say({ ...model, sought: undefined }, "The take in which that was said is deleted.", "warning");
  const next: Model = { ...model, sought: { ...sought, asked: "take" } };
  return switchTo(next, take.id, `${take.name}, where that was said`, false);
}

/** The key of the row that shows an entry: a prompt is part of its turn's row, a result of its call's. */
function rowWith(model: Model, entry: string): string | undefined {
  return shownRows(model).find((row) => {
    if (row.kind === "turn") return promptEntryId(row.turn.id) === entry;
    return row.kind === "entry" ? row.entry.id === entry : row.result?.id === entry || row.asker.id === entry;
  })?.key;
}
