import { line, span } from "../../draw/line.ts";
import { EMPTY_COMPOSER, withText } from "../composer.ts";
import { call } from "../effect.ts";
import { pushPlace, step } from "../step.ts";
import type { ListDefinition } from "./definition.ts";

/** The settings of the take. Each change is a step that Ctrl+Z takes back. */
export const settings: ListDefinition = {
  title: () => "Settings of this take",
  load: (_, thread) => call("getSettings", [thread], { for: "list", name: "settings", about: {} }),
  items: (answer) =>
    Object.entries(answer as Record<string, unknown>)
      .filter(([field, value]) => field !== "draft" && !Array.isArray(value))
      .map(([field, value]) => {
        const text = typeof value === "string" ? value : JSON.stringify(value);
        const shown = text === "" ? span("not set", "quiet") : span(text.replace(/\s+/g, " "));
        return {
          key: field,
          line: line(span(field.padEnd(24), "accent"), shown),
          data: { value: text, kind: typeof value },
          detail: { lines: text.split("\n").map((each) => line(each)), hunks: [] },
        };
      }),
  empty: "There are no settings.",
  hints: [
    ["Enter", "change"],
    ["Ctrl+Z", "undo"],
    ["Esc", "back"],
  ],
  key: (model, thread, _, item, key) => {
    if (!item || key !== "Enter") return undefined;
    const { value, kind } = item.data;
    const done = { for: "changed", say: `Changed ${item.key}. Ctrl+Z takes it back.`, reload: "settings" } as const;
    if (kind === "boolean")
      return step(model, call("changeSettings", [thread, { [item.key]: value !== "true" }], done));
    if (item.key.endsWith("_prompt"))
      return step(model, { kind: "edit", text: String(value), tag: { for: "setting", field: item.key } });
    return step(
      pushPlace(model, {
        kind: "ask",
        title: item.key,
        hint: kind === "number" ? "a number" : "provider/model, or empty for the configured one",
        field: withText(EMPTY_COMPOSER, String(value)),
        asked: { what: "setting", field: item.key },
      }),
    );
  },
};
