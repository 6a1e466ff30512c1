import { type Built, build, type Context, type Draft } from "../session/draft.ts";
import { spaceId, type TakeId, threadId } from "../session/record.ts";
import { type Refusal, refuse } from "../session/refusal.ts";
import type { State } from "../session/state.ts";
import { activeId, activeTake, baseName, liveTakes, type Take, takeById, takes } from "../session/view.ts";
import { beginning, idProblem, MAX_NAME, nameProblem, quoted } from "../values/text.ts";
import { whileRunning } from "./whole-conversation.ts";

/** Takes: lines of a thread's history, each with a conversation, settings and files of its own. */

/** B6: makes another take active. */
export function switchTake(state: State, context: Context, input: { readonly take: TakeId }): Built {
  return build(state, context, (draft) => {
    const running = whileRunning(draft);
    if (running) return running;
    const take = findTake(draft, input.take);
    if (take.kind === "refused") return take;
    if (input.take === activeTake(draft.base)) return refuse("nothing-to-do", `${take.take.name} is active already.`);
    draft.put(activeId(draft.state), { take: input.take });
    return { kind: "take-switched", scope: "thread", description: `Switch to ${take.take.name}` };
  });
}

/**
 * Keeps a take active on this device after operations from elsewhere, which may speak in the device's name. No user
 * asked for it, so no undo takes it back.
 */
export function keepTake(state: State, context: Context, input: { readonly take: TakeId }): Built {
  return build(state, context, (draft) => {
    const take = findTake(draft, input.take);
    if (take.kind === "refused") return take;
    draft.put(activeId(draft.state), { take: input.take });
    return { kind: "take-kept", scope: "thread", description: `Stay at ${take.take.name}` };
  });
}

/** B7, D5: a name that another take has is refused. */
export function renameTake(
  state: State,
  context: Context,
  input: { readonly take: TakeId; readonly name: string },
): Built {
  return build(state, context, (draft) => {
    const take = rename(draft, input);
    if (take.kind === "refused") return take;
    return { kind: "take-renamed", scope: "thread", description: `Rename ${take.take.name} to ${input.name}` };
  });
}

/** B8: gives a take a name at the top level, outside its group. */
export function promoteTake(
  state: State,
  context: Context,
  input: { readonly take: TakeId; readonly name: string },
): Built {
  return build(state, context, (draft) => {
    const take = rename(draft, input);
    if (take.kind === "refused") return take;
    if (baseName(input.name) !== input.name)
      return refuse(
        "invalid-input",
        `${input.name} is the name of a take within a group, not one at the top level. Nothing was changed.`,
      );
    return { kind: "take-promoted", scope: "thread", description: `Promote ${take.take.name} to ${input.name}` };
  });
}

/**
 * B7, D5: never deletes the last take. When the active take is deleted, the first one by name becomes active. The
 * records of the deleted take stay.
 */
export function deleteTake(state: State, context: Context, input: { readonly take: TakeId }): Built {
  return build(state, context, (draft) => {
    const take = findTake(draft, input.take);
    if (take.kind === "refused") return take;
    const running = draft.get(spaceId(input.take, "agent"))?.["turn_id"];
    if (typeof running === "string")
      return refuse(
        "agent-running",
        `The agent is working in ${take.take.name}. Stop it first (retake stop); nothing was changed.`,
      );
    const others = liveTakes(draft.base).filter((each) => each.id !== input.take);
    const first = others.sort((a, b) => (a.name < b.name ? -1 : 1))[0];
    if (!first)
      return refuse("last-take", `${take.take.name} is the only take left and cannot be deleted. Nothing was changed.`);
    draft.update(threadId("take", input.take), { deleted: true });
    if (activeTake(draft.base) === input.take) draft.put(activeId(draft.state), { take: first.id });
    return { kind: "take-deleted", scope: "thread", description: `Delete ${take.take.name}` };
  });
}

/** The first name `<base>_take_<n>` that no take has or ever had. Of a long name it has the beginning. */
export function freeTakeName(state: State, name: string): string {
  const base = baseName(name);
  const used = new Set(takes(state).map((take) => take.name));
  for (let number = 1; ; number += 1) {
    const end = `_take_${number}`;
    const candidate = beginning(base, MAX_NAME - end.length) + end;
    if (!used.has(candidate)) return candidate;
  }
}

/** Writes the record of a new take, whose space already exists, and makes the take active. */
export function addTake(draft: Draft, take: TakeId, source: string, name = freeTakeName(draft.state, source)): string {
  draft.put(threadId("take", take), { id: take, name, deleted: false, since: draft.version });
  draft.put(activeId(draft.state), { take });
  return name;
}

function rename(
  draft: Draft,
  input: { readonly take: TakeId; readonly name: string },
): { kind: "found"; take: Take } | Refusal {
  const take = findTake(draft, input.take);
  if (take.kind === "refused") return take;
  const wrong = takeNameProblem(draft, input);
  if (wrong) return wrong;
  draft.update(threadId("take", input.take), { name: input.name });
  return take;
}

/** Checks a name for a take: no other live take may have it (T2). */
export function takeNameProblem(
  draft: Draft,
  { take, name }: { readonly take: TakeId; readonly name: string },
): Refusal | undefined {
  const problem = nameProblem(name);
  if (problem) return refuse("invalid-input", `The name ${problem}. Nothing was changed.`);
  if (liveTakes(draft.base).some((each) => each.name === name && each.id !== take))
    return refuse("already-exists", `There is a take ${name} already. Nothing was changed.`);
  return undefined;
}

function findTake(draft: Draft, id: unknown): { kind: "found"; take: Take } | Refusal {
  const take = typeof id === "string" ? takeById(draft.base, id) : undefined;
  if (take && !take.deleted) return { kind: "found", take };
  return refuse("not-found", `There is no take ${quoted(id)}. Nothing was changed.`);
}

export function newTakeProblem(draft: Draft, id: unknown): Refusal | undefined {
  const problem = idProblem(id);
  if (problem) return refuse("invalid-input", `The new take's id ${problem}.`);
  if (draft.base.spaces.has(id as string))
    return refuse("already-exists", `There is a take with the id ${id} already.`);
  return undefined;
}
