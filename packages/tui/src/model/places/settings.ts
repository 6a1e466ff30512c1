import { line, span } from "../../draw/line.ts";
import { call } from "../effect.ts";
import { ask, step } from "../step.ts";
import { changeSetting } from "./change-setting.ts";
import type { ListDefinition } from "./definition.ts";

/** The meaning of each setting, and of its neutral value. */
const WORDS: Readonly<Record<string, readonly [label: string, about: string, neutral?: string]>> = {
  base_system_prompt: ["Base prompt", "The first part of the system prompt, instead of Retake's own."],
  use_default_base_prompt: ["Retake's base prompt", "Whether Retake's own base prompt is sent."],
  global_system_prompt: ["Global prompt", "The second part of the system prompt: what you always want."],
  project_system_prompt: ["Project prompt", "The third part of the system prompt: what this project wants."],
  model: ["Model", "provider/model; empty for the configured one.", "the configured one"],
  temperature: ["Temperature", "How freely the model words its answers: 0 to 2."],
  top_p: ["Top p", "How many of the likely words the model chooses from: 0 to 1."],
  max_tokens: ["Longest answer", "In tokens; 0 for as long as the model allows.", "as the model allows"],
  budget: [
    "Budget",
    "Dollars that this thread may cost before its turns stop; 0 for the configured amount.",
    "the configured one",
  ],
  auto_compress: ["Summarise when full", "A summary replaces the older part before the model's context is full."],
  auto_add_history: ["Add history", "Whether what is said is added to the history by itself."],
  undo_depth: ["Undo depth", "How many steps can be undone; 0 for all.", "all"],
};

/** The settings of the take. Each change is a step that Ctrl+Z takes back. */
export const settings: ListDefinition = {
  title: () => "Settings of this take",
  load: (_, thread) => call("getSettings", [thread], { for: "list", name: "settings", about: {} }),
  items: (answer) =>
    sorted(Object.entries(answer as Record<string, unknown>))
      .filter(([field, value]) => field !== "draft" && !Array.isArray(value))
      .map(([field, value]) => {
        const [label = field, about = "", neutral = "not set"] = WORDS[field] ?? [];
        const text = typeof value === "string" ? value : JSON.stringify(value);
        const isNeutral = text === "" || (text === "0" && neutral !== "not set");
        const words = typeof value === "boolean" ? (value ? "on" : "off") : text.replace(/\s+/g, " ");
        return {
          key: field,
          line: line(span(label.padEnd(21), "accent"), isNeutral ? span(neutral, "quiet") : span(words)),
          data: { value: text, kind: typeof value },
          detail: {
            lines: [
              line(span(label, "strong"), span(`  ${field}`, "quiet")),
              line(span(about, "quiet")),
              [],
              ...text.split("\n").map((each) => line(each)),
            ],
            hunks: [],
          },
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
    if (kind === "boolean") return changeSetting(model, thread, item.key, value !== "true");
    if (item.key.endsWith("_prompt"))
      return step(model, { kind: "edit", text: String(value), tag: { for: "setting", field: item.key } });
    const [label = item.key, about = ""] = WORDS[item.key] ?? [];
    const asked = { what: "setting", field: item.key, isNumber: kind === "number" } as const;
    return ask(model, label, about, asked, String(value));
  },
};

/** In the order of `WORDS`; what it does not know comes last. */
function sorted<Value>(fields: readonly (readonly [string, Value])[]): readonly (readonly [string, Value])[] {
  const order = Object.keys(WORDS);
  const place = (field: string) => (order.indexOf(field) + order.length + 1) % (order.length + 1);
  return fields.toSorted(([a], [b]) => place(a) - place(b));
}
