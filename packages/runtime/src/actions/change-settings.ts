import {
  activeTake,
  changeSetting,
  changeSettings,
  isRefusal,
  pathsIn,
  refuse,
  type SettingField,
  type Settings,
} from "@retake/core";
import { valueProblem } from "../config/config-keys.ts";
import type { Action } from "./action.ts";
import { defined } from "./shared/defined.ts";
import { takeNamed } from "./shared/names.ts";
import { outsideFiles } from "./shared/outside-files.ts";
import { settingsOf } from "./shared/settings-of.ts";

export const action: Action<"changeSettings"> = async ({ runtime, params, body, change }) => {
  const { take: named, typing, outside: yes, files: file, context_files, screenshots: screenshot, ...given } = body;
  const problem = given.model ? valueProblem(["model"], given.model) : undefined;
  if (problem) return refuse("invalid-input", `The setting model ${problem}. Nothing was changed.`);
  const outside = outsideFiles(runtime, params.id);
  const take = named === undefined ? undefined : runtime.read(params.id, ({ state }) => takeNamed(state, named));
  const sent = runtime.read(params.id, ({ state }) => {
    const shown = take ?? activeTake(state);
    const there = [...pathsIn(state, shown, "context"), ...pathsIn(state, shown, "screenshot")].map(({ path }) => path);
    // Members that are no paths are for core to refuse.
    const call = [...(context_files ?? []), ...(screenshot ?? [])].flatMap((each) => each?.path ?? []);
    return yes === true ? call : call.filter((path) => !there.includes(path));
  });
  const refusal = yes === true ? undefined : outside.refusal(sent);
  if (refusal) return refusal;
  const done = await runtime.change(
    params.id,
    (state, made) => {
      const context = take === undefined ? made : { ...made, take };
      const lists = defined({ file, context: context_files, screenshot });
      const values = defined(given);
      const [field, ...others] = Object.keys(values) as SettingField[];
      // A single field is a step that typing can go on in.
      if (field !== undefined && others.length === 0 && Object.keys(lists).length === 0)
        return changeSetting(state, context, { field, value: values[field] as never, typing: typing === true });
      return changeSettings(state, context, { settings: values as Partial<Settings>, lists: lists as Lists });
    },
    change,
    (state) => ({ settings: settingsOf(state, take) }),
  );
  if (yes === true && !isRefusal(done)) for (const path of sent) outside.allow(path);
  return done;
};

type Lists = NonNullable<Parameters<typeof changeSettings>[2]["lists"]>;
