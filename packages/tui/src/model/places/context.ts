import { line, span } from "../../draw/line.ts";
import { call } from "../effect.ts";
import { ask, step } from "../step.ts";
import type { ListDefinition } from "./definition.ts";

/** The files that the model is always shown. */
export const context: ListDefinition = {
  title: () => "Context: files that every request holds",
  load: (_, thread) => call("getContext", [thread], { for: "list", name: "context", about: {} }),
  items: (answer) =>
    (answer as { context: { path: string }[] }).context.map(({ path }) => ({
      key: path,
      line: line(path),
      data: { path },
    })),
  detail: (_, thread, { key }) =>
    call("readFile", [thread, { path: key, limit: 20_000 }], { for: "detail", name: "context", key }),
  detailOf: (answer) => ({
    lines: String((answer as { content?: unknown }).content ?? "")
      .split("\n")
      .map((each) => line(span(each))),
    hunks: [],
  }),
  empty: "No file is always shown to the model. a adds one.",
  hints: [
    ["a", "add"],
    ["d", "remove"],
    ["Esc", "back"],
  ],
  key: (model, thread, _, item, key) => {
    if (key === "a") return ask(model, "Add a context file", "a path in the workspace", { what: "context" });
    if (key === "d" && item)
      return step(
        model,
        call("changeContext", [thread, { remove: item.key }], {
          for: "changed",
          say: `Removed ${item.key}. Ctrl+Z brings it back.`,
          reload: "context",
        }),
      );
    return undefined;
  },
};
