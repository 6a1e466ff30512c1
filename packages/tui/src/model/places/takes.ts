import { plural } from "@retake/client/screen";
import { activeTake } from "@retake/core";
import { line, span } from "../../draw/line.ts";
import { deleteTake, switchTo } from "../actions.ts";
import { call } from "../effect.ts";
import { ask, say } from "../step.ts";
import { comparison } from "./compare.ts";
import type { ListDefinition } from "./definition.ts";
import { openPlace } from "./open-place.ts";

interface Takes {
  readonly takes: readonly {
    readonly id: string;
    readonly name: string;
    readonly base_name: string;
    readonly active: boolean;
    readonly entries: number;
  }[];
}

/** The takes as a tree of names; beside it, how one differs from the active one. */
export const takes: ListDefinition = {
  title: () => "Takes",
  load: (_, thread) => call("listTakes", [thread, {}], { for: "list", name: "takes", about: {} }),
  items: (answer) =>
    (answer as Takes).takes.map(({ id, name, base_name, active, entries }) => ({
      key: id,
      line: line(
        span(active ? "● " : "  ", "accent"),
        span(name === base_name ? "" : "└ ", "quiet"),
        span(name, active ? "strong" : "plain"),
      ),
      right: line(span(plural(entries, "entry", "entries"), "quiet")),
      data: { name, active },
      ...(active
        ? { detail: { lines: [line(span("This is the active take: its files are on disk.", "quiet"))], hunks: [] } }
        : {}),
    })),
  detail: ({ view }, thread, { key }) => {
    const active = view && activeTake(view.state);
    return active === undefined || active === key
      ? undefined
      : call("compareTakes", [thread, active, key], { for: "detail", name: "takes", key });
  },
  detailOf: (answer) => comparison(answer),
  empty: "There are no takes. b on a row of the conversation branches there.",
  hints: [
    ["Enter", "switch"],
    ["c", "compare"],
    ["p", "promote"],
    ["n", "rename"],
    ["d", "delete"],
    ["Esc", "back"],
  ],
  key: (model, _, __, item, key) => {
    if (!item) return undefined;
    const name = String(item.data["name"]);
    const active = model.view && activeTake(model.view.state);
    if (key === "Enter")
      return item.data["active"] ? say(model, `${name} is the active take.`) : switchTo(model, item.key, name);
    if (key === "c")
      return active === undefined || active === item.key
        ? say(model, "Choose another take than the active one.", "warning")
        : openPlace(model, "compare", { a: active, b: item.key });
    if (key === "p") return ask(model, `Promote ${name}`, "its new name", { what: "promote", take: item.key });
    if (key === "n") return ask(model, `Rename ${name}`, "its new name", { what: "rename", take: item.key });
    return key === "d" ? deleteTake(model, item.key, name) : undefined;
  },
};
