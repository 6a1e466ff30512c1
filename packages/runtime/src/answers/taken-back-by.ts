import {
  equal,
  type History,
  kindOf,
  type Operation,
  planUndo,
  roleOf,
  spaceId,
  takeOf,
  type UndoRequest,
} from "@retake/core";

/** The action that takes an operation back, and its body. */
export interface TakenBack {
  /** An undo, an undo of one step, a redo, or a jump to the moment before. */
  readonly taken_back_by: TakenBackBy;
  /** The body. Without it an undo of one step does it, and after `undo` also an undo of one turn. */
  readonly taken_back_with?: TakenBackWith;
}

export type TakenBackBy = "undo" | "undo-step" | "redo" | "jump";

export interface TakenBackWith {
  readonly turns?: number;
  readonly steps?: number;
  readonly scope?: "conversation" | "files";
  readonly keep_prompt?: true;
  readonly op?: string;
}

/** `history` is read for a redo alone. */
export function takenBackBy(history: History | undefined, operation: Operation): TakenBack {
  const role = roleOf(operation);
  if (role === "undo") return { taken_back_by: "redo" };
  if (role === "redo" && history) return redoTakenBackBy(history, operation);
  return { taken_back_by: role === "step" ? "undo-step" : "undo" };
}

/**
 * A redo is no step of its own: it is taken back by an undo of exactly what it brought back, as the first undo took it. Each
 * such undo is planned, and the first one that takes just that is the answer; a jump where there is none.
 */
function redoTakenBackBy(history: History, { id, redoes = [] }: Operation): TakenBack {
  const undos = redoes.flatMap((undo) => history.operation(undo) ?? []);
  const wanted = byGroup(undos);
  const count = wanted.size;
  const keep = undos.some(keepsPrompt) ? ({ keep_prompt: true } as const) : {};
  const [scope = "both"] = wanted.values();
  const part = scope === "both" ? {} : { scope };
  const takesThem = (request: UndoRequest) => {
    const plan = planUndo(history, request);
    return plan.kind === "plan" && equal(Object.fromEntries(byGroup([plan.links])), Object.fromEntries(wanted));
  };
  // Each of several undos may have kept a prompt; one undo keeps that of the first turn alone.
  if ("keep_prompt" in keep && undos.length > 1) return before(id);
  // An undo of turns takes no step: it would be planned in vain, and what came before the step can be the whole thread.
  const begun = [...wanted.keys()].flatMap((group) => history.operation(group) ?? []);
  const hasStep = begun.some((first) => roleOf(first) === "step");
  if (!hasStep && takesThem({ count, ...part })) {
    const isPlain = equal({ turns: count, ...part, ...keep }, { turns: 1 }) && takesThem({ count, steps: true });
    return { taken_back_by: "undo", ...(isPlain ? {} : { taken_back_with: { turns: count, ...part, ...keep } }) };
  }
  if (!takesThem({ count, steps: true })) return before(id);
  const isPlain = equal({ steps: count, ...keep }, { steps: 1 });
  return { taken_back_by: "undo-step", ...(isPlain ? {} : { taken_back_with: { steps: count, ...keep } }) };
}

function before(operation: string): TakenBack {
  return { taken_back_by: "jump", taken_back_with: { op: `${operation}^` } };
}

type Scope = NonNullable<UndoRequest["scope"]>;

/** The groups that were taken back, each with its part; two halves are the whole. */
function byGroup(undos: readonly Pick<Operation, "undoes">[]): Map<string, Scope> {
  const groups = new Map<string, Scope>();
  for (const { undoes = [] } of undos)
    for (const { group, scope } of undoes) groups.set(group, (groups.get(group) ?? scope) === scope ? scope : "both");
  return groups;
}

/** Whether the prompt of a turn stayed as an entry when the turn was undone. */
function keepsPrompt({ diff }: Operation): boolean {
  const prompts = new Set(
    diff.changes.flatMap((change) =>
      change.kind === "remove" && kindOf(change.id) === "turn"
        ? [spaceId(takeOf(change.id) ?? "", "entry", String(change.before["prompt_entry"]))]
        : [],
    ),
  );
  return diff.changes.some(({ kind, id }) => kind !== "remove" && prompts.has(id));
}
