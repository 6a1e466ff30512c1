import { changeSetting, changeSettings, type SettingField, type Settings } from "@retake/core";
import type { Action } from "./action.ts";
import { defined } from "./shared/defined.ts";
import { settingsOf } from "./shared/settings-of.ts";

export const action: Action<"changeSettings"> = ({ runtime, params, body, change }) =>
  runtime.change(
    params.id,
    (state, context) => {
      const { typing, files: file, context_files, screenshots: screenshot, ...given } = body;
      const lists = defined({ file, context: context_files, screenshot });
      const values = defined(given);
      const [field, ...others] = Object.keys(values) as SettingField[];
      // A single field is a step that typing can go on in.
      if (field !== undefined && others.length === 0 && Object.keys(lists).length === 0)
        return changeSetting(state, context, { field, value: values[field] as never, typing: typing === true });
      return changeSettings(state, context, { settings: values as Partial<Settings>, lists: lists as Lists });
    },
    change,
    (state) => ({ settings: settingsOf(state) }),
  );

type Lists = NonNullable<Parameters<typeof changeSettings>[2]["lists"]>;
