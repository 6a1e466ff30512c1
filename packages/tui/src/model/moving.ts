/** Keys while a row of the conversation has the focus: the letters of the key map. */
import { actionFor, type Row } from "@retake/client/screen";
import { type Entry, entryById, promptEntryId } from "@retake/core";
import { talkLayout } from "../screens/talk.ts";
import { anchorFor, shownRows } from "../screens/transcript.ts";
import { branchAt, redoStep, revert, revertTurn, undoTurns } from "./actions.ts";
import { insertText } from "./composer.ts";
import { call } from "./effect.ts";
import type { Model } from "./model.ts";
import { openPlace } from "./places/open-place.ts";
import { moreBefore, scroll } from "./scroll.ts";
import { goToStart } from "./seek.ts";
import { slashCommand } from "./slash-command.ts";
import { type Step, say, step } from "./step.ts";
import { changed } from "./typing.ts";

type Key = { readonly key: string; readonly text?: string };

export function movingKey(model: Model, { key, text }: Key, chord: string): Step {
  const rows = shownRows(model);
  const at = rows.findIndex((row) => row.key === model.focus);
  const row = rows[at] ?? rows.at(-1);
  if (key === "g" && chord !== "g") return step({ ...model, chord: "g" });
  if (key === "Tab" || key === "Shift+Tab") return step({ ...model, state: "typing" });
  if (key === "Ctrl+U") return scroll(model, "half-up");
  if (key === "Ctrl+D") return scroll(model, "half-down");
  if (key === "/") return openPlace(model, "search");
  const action = actionFor(chord === "g" && key === "g" ? "g g" : key, "moving");
  switch (action) {
    case "next-row":
      return focus(model, rows, at < 0 ? rows.length - 1 : at + 1);
    case "previous-row":
      return at === 0 ? step(model, ...moreBefore(model)) : focus(model, rows, at < 0 ? rows.length - 1 : at - 1);
    case "next-turn":
      return focus(model, rows, turnAt(rows, at < 0 ? rows.length : at, 1));
    case "previous-turn":
      return focus(model, rows, turnAt(rows, at < 0 ? rows.length : at, -1));
    case "first-row":
      return goToStart(model);
    case "last-row":
      return step({ ...model, focus: rows.at(-1)?.key, anchor: undefined });
    case "undo-turn":
      return undoTurns(model, 1, false);
    case "redo":
      return redoStep(model);
    case "show-history":
      return openPlace(model, "history");
    case "show-takes":
      return openPlace(model, "takes");
    case "show-changes":
      return openPlace(model, "review", row ? reviewOf(row, rows) : {});
    case "show-settings":
      return openPlace(model, "settings");
    case "show-keys":
      return slashCommand(model, "/help");
    default:
      break;
  }
  if (!row) return text === undefined ? step({ ...model, state: "typing" }) : typed(model, text);
  return rowKey({ ...model, focus: row.key }, row, action, text);
}

function rowKey(model: Model, row: Row, action: ReturnType<typeof actionFor>, text: string | undefined): Step {
  const entry = entryOf(model, row);
  const entryId = entry?.id;
  switch (action) {
    case "open":
    case "collapse":
      return toggle(model, row);
    case "take-back":
      if (row.kind === "call") return revert(model, `only the call ${row.name}`, { call: row.name });
      return turnOf(row) === undefined
        ? say(model, "No turn wrote this entry: d deletes it.", "warning")
        : revertTurn(model, nameOfTurn(model, row));
    case "branch":
      return row.kind === "turn"
        ? branchAt(model, row.name)
        : entryId === undefined
          ? step(model)
          : branchAt(model, entryId);
    case "edit":
      return entry
        ? step(model, { kind: "edit", text: entry.content, tag: { for: "entry", entry: entry.id } })
        : step(model);
    case "insert":
      return entryId === undefined
        ? step(model)
        : step(model, { kind: "edit", text: "", tag: { for: "insert", before: entryId } });
    case "delete":
      if (entryId === undefined || model.thread === undefined) return step(model);
      return step(
        model,
        call("removeEntry", [model.thread, entryId], {
          for: "changed",
          say: "Deleted the entry. Ctrl+Z brings it back.",
        }),
      );
    case "read-mode":
      if (!entry || model.thread === undefined) return step(model);
      return step(
        model,
        call("editEntry", [model.thread, entry.id, { read_mode: !entry.read_mode }], { for: "nothing" }),
      );
    case "copy":
      return say(model, "Copied.", "plain", { kind: "copy", text: textOf(row, entry) });
    default:
      return text === undefined ? step(model) : typed(model, text);
  }
}

/** A letter that is no command begins a prompt. */
function typed(model: Model, text: string): Step {
  return changed({ ...model, state: "typing" }, insertText(model.composer, text));
}

function toggle(model: Model, row: Row): Step {
  const toggled = new Set(model.toggled);
  if (!toggled.delete(row.key)) toggled.add(row.key);
  return step({ ...model, toggled });
}

function focus(model: Model, rows: readonly Row[], at: number): Step {
  const row = rows[Math.max(0, Math.min(at, rows.length - 1))];
  if (!row) return step({ ...model, state: "typing" });
  const { width, height } = talkLayout(model);
  const next = { ...model, focus: row.key };
  return step({ ...next, anchor: anchorFor(next, row.key, width, height) }, ...(at <= 0 ? moreBefore(model) : []));
}

function turnAt(rows: readonly Row[], from: number, by: 1 | -1): number {
  for (let at = from + by; at >= 0 && at < rows.length; at += by) if (rows[at]?.kind === "turn") return at;
  return by < 0 ? 0 : rows.length - 1;
}

function turnOf(row: Row): string | undefined {
  return row.kind === "turn" ? row.turn.id : row.turn;
}

function nameOfTurn(model: Model, row: Row): string {
  const id = turnOf(row);
  const found = shownRows(model).find((each) => each.kind === "turn" && each.turn.id === id);
  return found?.name ?? row.name;
}

/** The turn that a row belongs to, as the range of a review. */
function reviewOf(row: Row, rows: readonly Row[]): Readonly<Record<string, string>> {
  const id = turnOf(row);
  const found = rows.find((each) => each.kind === "turn" && each.turn.id === id);
  return found ? { from: `${found.name}^`, to: found.name, turn: found.name } : {};
}

function entryOf({ view }: Model, row: Row): Entry | undefined {
  if (row.kind === "entry") return row.entry;
  if (row.kind === "call") return row.result ?? row.asker;
  return view && entryById(view.state, view.take, promptEntryId(row.turn.id));
}

function textOf(row: Row, entry: Entry | undefined): string {
  if (row.kind === "call") return `${row.call.name} ${JSON.stringify(row.call.input)}\n${row.result?.content ?? ""}`;
  return entry?.content ?? (row.kind === "turn" ? row.turn.prompt : "");
}
