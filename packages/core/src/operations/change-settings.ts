import { type Built, build, type Context } from "../session/draft.ts";
import { spaceId } from "../session/record.ts";
import { refuse } from "../session/refusal.ts";
import { isSettingField, type SettingField, type Settings, settingProblem } from "../session/setting.ts";
import type { State } from "../session/state.ts";
import { setting } from "../session/view.ts";
import { equal, isObject, type Json } from "../values/json.ts";
import { nameOf, quoted } from "../values/text.ts";
import { LIST_NAMES, type PathList, type PathMember, putPaths, putRoles } from "./change-lists.ts";
import { typingGroup } from "./edit-entry.ts";

/** S2, S4: sets one setting. With `typing`, a burst of changes is one step. */
export function changeSetting<Field extends SettingField>(
  state: State,
  context: Context,
  input: { readonly field: Field; readonly value: Settings[Field]; readonly typing?: boolean },
): Built {
  return build(state, context, (draft) => {
    const problem = fieldProblem(input.field, input.value);
    if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
    const record = spaceId(draft.take, "setting", input.field);
    if (!equal(setting(draft.base, draft.take, input.field) as Json, input.value as Json)) {
      draft.put(record, { value: input.value as Json });
    }
    const group = input.typing === true ? typingGroup(draft, record) : undefined;
    return { kind: "setting-changed", description: `Change ${title(input.field)}`, ...(group ? { group } : {}) };
  });
}

/** Sets several settings, the roles and the lists of paths as one step. */
export function changeSettings(
  state: State,
  context: Context,
  input: {
    readonly settings: Partial<Settings>;
    readonly lists?: { readonly [List in PathList]?: readonly PathMember[] };
    readonly roles?: readonly string[];
  },
): Built {
  return build(state, context, (draft) => {
    if (!isObject(input.settings))
      return refuse("invalid-input", `The settings must be an object, not ${nameOf(input.settings)}.`);
    for (const [field, value] of Object.entries(input.settings)) {
      const problem = fieldProblem(field, value);
      if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
      if (equal(setting(draft.base, draft.take, field as SettingField) as Json, value as Json)) continue;
      draft.put(spaceId(draft.take, "setting", field), { value: value as Json });
    }
    if (!isObject(input.lists ?? {}))
      return refuse("invalid-input", `The lists must be an object, not ${nameOf(input.lists)}. Nothing was changed.`);
    const lists = Object.entries(input.lists ?? {}) as [PathList, readonly PathMember[]][];
    for (const [list, members] of lists) {
      const problem = putPaths(draft, list, members);
      if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
    }
    const wrong = input.roles === undefined ? undefined : putRoles(draft, input.roles);
    if (wrong) return refuse("invalid-input", `${wrong}. Nothing was changed.`);
    const names = [
      ...Object.keys(input.settings).map(title),
      ...lists.map(([list]) => `${LIST_NAMES[list]}s`),
      ...(input.roles === undefined ? [] : ["roles"]),
    ];
    return { kind: "settings-changed", description: `Change ${names.join(", ")}` };
  });
}

function fieldProblem(field: unknown, value: unknown): string | undefined {
  if (!isSettingField(field)) return `There is no setting ${quoted(field)}`;
  const problem = settingProblem(field, value);
  return problem === undefined ? undefined : `The setting ${field} ${problem}`;
}

function title(field: string): string {
  return field.replaceAll("_", " ");
}
