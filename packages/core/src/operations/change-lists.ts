import { type Built, build, type Context, type Draft } from "../session/draft.ts";
import { type SpaceKind, spaceId } from "../session/record.ts";
import { refuse } from "../session/refusal.ts";
import type { State } from "../session/state.ts";
import { recordsOf, roles } from "../session/view.ts";
import { labelled, list } from "../values/check.ts";
import { foreignProblem } from "../values/foreign.ts";
import { asJson, equal, isObject, type Json, type JsonObject } from "../values/json.ts";
import { appendKey } from "../values/order-key.ts";
import { nameProblem, quoted, textProblem } from "../values/text.ts";

/** The lists of a take besides its conversation: roles, files, context files, screenshots. */

/** B5, D4: any string can be a role. The list may become empty; the user's role then still exists. */
export function addRole(state: State, context: Context, input: { readonly role: string }): Built {
  return build(state, context, (draft) => {
    const role = typeof input.role === "string" ? input.role.trim() : input.role;
    const problem = nameProblem(role);
    if (problem) return refuse("invalid-input", `The role ${problem}. Nothing was changed.`);
    const list = listed(state, draft.take);
    if (list.includes(role)) return refuse("already-exists", `There is a role ${role} already. Nothing was changed.`);
    draft.put(spaceId(draft.take, "roles"), { list: [...list, role] });
    return { kind: "roles-changed", description: `Add role ${role}` };
  });
}

export function removeRole(state: State, context: Context, input: { readonly role: string }): Built {
  return build(state, context, (draft) => {
    const list = listed(state, draft.take);
    if (!list.includes(input.role))
      return refuse("not-found", `There is no role ${quoted(input.role)}. Nothing was changed.`);
    draft.put(spaceId(draft.take, "roles"), { list: list.filter((role) => role !== input.role) });
    return { kind: "roles-changed", description: `Remove role ${input.role}` };
  });
}

/** The lists of paths in S2. A member is a path with any further facts about it. */
export type PathList = Extract<SpaceKind, "file" | "context" | "screenshot">;

export interface PathMember {
  readonly path: string;
  readonly [key: string]: Json;
}

/** The members in the order in which they were added. */
export function pathsIn(state: State, take: string, list: PathList): PathMember[] {
  return [...recordsOf(state, take, list)]
    .map(([, record]) => record)
    .sort((a, b) => ((a["order"] as string) < (b["order"] as string) ? -1 : 1))
    .map(({ order: _, ...member }) => member as unknown as PathMember);
}

export function addPath(
  state: State,
  context: Context,
  input: { readonly list: PathList; readonly member: PathMember },
): Built {
  return build(state, context, (draft) => {
    const { list, member } = input;
    const problem = memberProblem(list, member);
    if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
    const id = spaceId(draft.take, list, member.path);
    if (draft.get(id)) return refuse("already-exists", `${member.path} is there already. Nothing was changed.`);
    draft.put(id, { ...(member as JsonObject), order: appendKey(draft.version) });
    return { kind: "context-changed", description: `Add ${LIST_NAMES[list]} ${nameOf(member)}` };
  });
}

export function removePath(
  state: State,
  context: Context,
  input: { readonly list: PathList; readonly path: string },
): Built {
  return build(state, context, (draft) => {
    const { list, path } = input;
    const id =
      typeof list === "string" && Object.hasOwn(LIST_NAMES, list) && typeof path === "string" && path !== ""
        ? spaceId(draft.take, list, path)
        : "";
    if (!draft.get(id)) return refuse("not-found", `${quoted(path)} is not in the list. Nothing was changed.`);
    draft.remove(id);
    return { kind: "context-changed", description: `Remove ${LIST_NAMES[list]} ${path}` };
  });
}

/** An image is stored under its hash; people know it by the name that it was given. */
function nameOf({ path, name }: PathMember): string {
  return typeof name === "string" && name !== "" ? name : path;
}

export const LIST_NAMES: Readonly<Record<PathList, string>> = {
  file: "file",
  context: "context file",
  screenshot: "screenshot",
};

/** Sets a list to the given members, in that order; returns a problem when it cannot. */
export function putPaths(draft: Draft, list: PathList, members: readonly PathMember[]): string | undefined {
  if (!Array.isArray(members)) return "A list of paths must be a list";
  const problem = members.map((member) => memberProblem(list, member)).find((each) => each !== undefined);
  if (problem !== undefined) return problem;
  const paths = members.map(({ path }) => path);
  if (new Set(paths).size < paths.length) return `A ${LIST_NAMES[list]} is named twice`;
  const before = pathsIn(draft.base, draft.take, list);
  if (equal(asJson(before), asJson(members))) return undefined;
  for (const { path } of before) if (!paths.includes(path)) draft.remove(spaceId(draft.take, list, path));
  for (const [index, member] of members.entries())
    draft.put(spaceId(draft.take, list, member.path), { ...member, order: appendKey(draft.version, index) });
  return undefined;
}

/** Sets the list of roles, in the given order; returns a problem when it cannot. */
export function putRoles(draft: Draft, given: readonly string[]): string | undefined {
  const problem = labelled("The roles", list(nameProblem)(given));
  if (problem !== undefined) return problem;
  if (new Set(given).size < given.length) return "A role is named twice";
  if (!equal([...roles(draft.base, draft.take)], [...given])) draft.put(spaceId(draft.take, "roles"), { list: given });
  return undefined;
}

/** The list as it was set, which may be empty. */
function listed(state: State, take: string): readonly string[] {
  const record = state.spaces.get(take)?.records.get("roles");
  return (record?.["list"] as readonly string[] | undefined) ?? roles(state, take);
}

function memberProblem(list: unknown, member: unknown): string | undefined {
  if (typeof list !== "string" || !Object.hasOwn(LIST_NAMES, list)) return `There is no list ${quoted(list)}`;
  if (!isObject(member)) return "A member of the list must be an object with a path";
  const path = textProblem(member["path"], 4096) ?? (member["path"] === "" ? "is empty" : undefined);
  if (path) return `The path ${path}`;
  const foreign = foreignProblem(member);
  return foreign === undefined ? undefined : `The member's ${foreign.replace(/^\./, "")}`;
}
