/**
 * A plan before it is carried out: which entries and files go or come, what is kept, what stays done, and conflicts
 * to decide one by one. Nothing changes until Enter. Done exactly as shown, or refused because something changed meanwhile.
 */
import {
  type Conflict,
  decide,
  holdDecisions,
  needsLook,
  planCounts,
  plural,
  resolutionsOf,
  type TakenBack,
  takeBackCommand,
  type Use,
} from "@retake/client/screen";
import { promptForm } from "../../text/prompt-form.ts";
import { carryOut, dryRun, newPlan, nextQuick } from "../actions.ts";
import type { Model, PlanPlace, PlanRequest } from "../model.ts";
import { andThen, popPlace, pushPlace, replacePlace, type Step, say, sayStep, step, topPlace } from "../step.ts";
import { reloadPlace } from "./list-place.ts";
import { moveIn } from "./move-in.ts";

/** The dry run has answered. */
export function planned(before: Model, request: PlanRequest, plan: TakenBack): Step {
  const { thread } = before;
  if (thread === undefined) return step(before);
  const place = topPlace(before);
  const isOpen = place?.kind === "plan";
  const isDone = plan.message !== undefined && plan.description === undefined;
  if (!isOpen && request.isQuick && !isDone && !needsLook(plan))
    return step(before, carryOut(thread, request, planId(plan)));
  // Those that wait are not carried out after one that cannot be, or has to be looked at.
  const model: Model = { ...before, quick: undefined };
  if (isDone) return say(isOpen ? popPlace(model) : model, plan.message ?? "", "warning");
  const shown = isOpen ? place : newPlan(request);
  const { decisions, changed } = holdDecisions(shown.decisions, plan);
  const next: PlanPlace = { ...shown, request, plan, decisions, selected: 0, scroll: 0 };
  const opened = isOpen ? replacePlace(model, next) : pushPlace(model, next);
  return changed.length === 0 ? step(opened) : say(opened, changedWords(changed), "warning");
}

function changedWords([first, ...others]: readonly Conflict[]): string {
  const more = others.length === 0 ? "" : ` and ${plural(others.length, "other")}`;
  return `${first?.name ?? first?.path}${more} changed after your decision: look again, and decide. Nothing was done.`;
}

function planId({ plan_id }: TakenBack): Readonly<Record<string, unknown>> {
  return plan_id === undefined ? {} : { plan_id };
}

/** It is done: says what, and how to take it back. */
export function carriedOut(model: Model, request: PlanRequest, answer: TakenBack): Step {
  const open = topPlace(model)?.kind === "plan" ? popPlace(model) : model;
  // A step back and forth, a part that is taken back, and a take that goes leave the user where they were. All else is seen in the
  // conversation.
  const stays = STAYS.has(request.route) || "steps" in request.body;
  // A row that has the focus stays on the screen: keys act on it. A view of another take has moved the window already, perhaps to
  // an entry that is searched for.
  const isKept =
    request.route === "switchTake" || request.route === "deleteTake" || (stays && model.state === "moving");
  const anchor = isKept ? open.anchor : undefined;
  const next: Model = { ...open, places: stays ? open.places : [], anchor };
  const counts = planCounts(answer);
  const what = answer.description ?? answer.message ?? request.title;
  const back = request.route === "undo" ? "Ctrl+Y brings it back" : wayBack(answer);
  const said = `${what}${counts === "" ? "" : ` (${counts})`}${answer.op_id === null ? "" : ` · ${back}`}`;
  return andThen(
    andThen(reloadPlace(next), (shown) => sayStep(shown, said)),
    nextQuick,
  );
}

/** Ctrl+Z takes back one step: more than that, or a part of it, takes a command. */
function wayBack(answer: TakenBack): string {
  const command = answer.taken_back_with && takeBackCommand(answer);
  return `${command === undefined ? "Ctrl+Z" : promptForm(command)} takes it back`;
}

const STAYS: ReadonlySet<PlanRequest["route"]> = new Set(["revert", "redo", "deleteTake"]);

const SCOPES = ["both", "conversation", "files"] as const;
const CHOICES: Readonly<Record<string, Use>> = { 1: "mine", 2: "theirs", 3: "merged" };

export function planKey(model: Model, place: PlanPlace, key: string): Step {
  const { thread = "" } = model;
  const { request, plan, decisions } = place;
  if (key === "Escape" || key === "q") return say(popPlace(model), "Nothing was changed.");
  if (!plan) return step(model);
  const conflicts = plan.conflicts ?? [];
  const conflict = conflicts[place.selected];
  if (key === "Tab" && request.hasScope) {
    const at = SCOPES.indexOf((request.body["scope"] as (typeof SCOPES)[number]) ?? "both");
    const next = { ...request, body: { ...request.body, scope: SCOPES[(at + 1) % SCOPES.length] } };
    return step(replacePlace(model, { ...place, request: next, plan: undefined }), dryRun(thread, next));
  }
  if (key === "Enter") {
    const open = conflicts.filter(({ path }) => !decisions.has(path));
    if (open.length > 0)
      return say(
        model,
        `${open.length} of ${conflicts.length} conflicts are not decided. 1 keeps yours, 2 takes the other, 3 writes both, e edits.`,
        "warning",
      );
    const chosen = resolutionsOf(plan, decisions);
    return step(
      model,
      carryOut(thread, request, { ...planId(plan), ...(chosen.length > 0 ? { resolutions: chosen } : {}) }),
    );
  }
  const use = CHOICES[key];
  if (use === "merged" && conflict?.sides && !conflict.sides.merged)
    return say(
      model,
      `${conflict.name ?? conflict.path} cannot hold both versions: keep yours, or take the other.`,
      "warning",
    );
  if (use !== undefined && conflict) return decided(model, place, conflict, use);
  if ((key === "M" || key === "T") && conflicts.length > 0) {
    const all = decide(decisions, conflicts, key === "M" ? "mine" : "theirs");
    return step(replacePlace(model, { ...place, decisions: all }));
  }
  if (key === "e" && conflict) {
    const text = place.texts.get(conflict.path) ?? textToEdit(conflict);
    return step(model, { kind: "edit", text, tag: { for: "resolution", path: conflict.path } });
  }
  if (key === "j" || key === "ArrowDown") return step(moveIn(model, conflicts.length > 0 ? { by: 1 } : { scroll: 1 }));
  if (key === "k" || key === "ArrowUp") return step(moveIn(model, conflicts.length > 0 ? { by: -1 } : { scroll: -1 }));
  if (key === "PageDown" || key === " ") return step(moveIn(model, { scroll: 10 }));
  return step(key === "PageUp" ? moveIn(model, { scroll: -10 }) : model);
}

/** The text of a file in conflict came back from the editor. An editor that is left without a change decides nothing. */
export function conflictEdited(before: Model, path: string, text: string): Step {
  const top = topPlace(before);
  const conflict = top?.kind === "plan" ? top.plan?.conflicts?.find((each) => each.path === path) : undefined;
  if (top?.kind !== "plan" || !conflict) return step(before);
  if (text === textToEdit(conflict))
    return say(before, `${path} was not edited: its conflict is not decided.`, "warning");
  const place: PlanPlace = { ...top, texts: new Map(top.texts).set(path, text) };
  const model = replacePlace(before, place);
  // A file may hold markers of its own.
  if (markerCount(text) > markerCount(conflict.sides?.mine?.content ?? ""))
    return say(
      model,
      `${path} still holds conflict markers: it is not decided. e edits again, 3 keeps them.`,
      "warning",
    );
  return decided(model, place, conflict, { content: text });
}

function textToEdit({ sides }: Conflict): string {
  return sides?.merged?.content ?? sides?.mine?.content ?? "";
}

function markerCount(text: string): number {
  return text.match(/^(?:<{7}|>{7}) /gm)?.length ?? 0;
}

function decided(model: Model, place: PlanPlace, conflict: Conflict, use: Use): Step {
  const decisions = decide(place.decisions, [conflict], use);
  const open = (place.plan?.conflicts ?? []).findIndex(({ path }) => !decisions.has(path));
  return step(replacePlace(model, { ...place, decisions, ...(open >= 0 ? { selected: open, scroll: 0 } : {}) }));
}
