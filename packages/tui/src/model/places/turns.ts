import { STATUS_WORDS } from "@retake/client/screen";
import { line, span } from "../../draw/line.ts";
import { branchAt, revertTurn, undoTo } from "../actions.ts";
import { call } from "../effect.ts";
import type { ListDefinition } from "./definition.ts";
import { type FileDiff, fileDiffDetail } from "./file-diffs.ts";
import { openPlace } from "./open-place.ts";

interface Turns {
  readonly turns: readonly {
    readonly id: string;
    readonly name?: string;
    readonly prompt: string;
    readonly status: string;
  }[];
}

/** The turns of the take, with what each changed: to go back before one, or to take back only one. */
export const turns: ListDefinition = {
  title: () => "Take back: choose a turn",
  load: (_, thread) => call("listTurns", [thread, { last: 200 }], { for: "list", name: "turns", about: {} }),
  items: (answer, model) =>
    (answer as Turns).turns.map(({ id, name = "", prompt, status }) => {
      const known = model.changes.get(id);
      const changes =
        known === undefined || known === "asked"
          ? []
          : [span(`+${known.additions}`, "added"), span(" "), span(`-${known.deletions}`, "removed")];
      const state = status === "finished" ? [] : [span(`${STATUS_WORDS[status] ?? status} `, "warning")];
      return {
        key: id,
        line: line(span(`${name} `, "accent"), prompt.replace(/\s+/g, " ")),
        right: [...state, ...changes],
        data: { name, id },
      };
    }),
  detail: (_, thread, { data, key }) =>
    data["name"] === ""
      ? undefined
      : call(
          "diffThread",
          [thread, { from: `${data["name"]}^`, to: String(data["name"]), hunks: true as never, limit: 20 }],
          { for: "detail", name: "turns", key },
        ),
  detailOf: (answer) => {
    const { files } = answer as { files: FileDiff[] };
    return files.length === 0
      ? { lines: [line(span("This turn changed no files.", "quiet"))], hunks: [] }
      : fileDiffDetail(files);
  },
  fromEnd: true,
  empty: "There is no turn to take back.",
  hints: [
    ["Enter", "go back before it"],
    ["x", "take back only it"],
    ["b", "branch after it"],
    ["r", "review"],
    ["Esc", "back"],
  ],
  key: (model, _, __, item, key) => {
    const name = String(item?.data["name"] ?? "");
    if (!item || name === "") return undefined;
    if (key === "Enter" || key === "u") return undoTo(model, name);
    if (key === "x") return revertTurn(model, name);
    if (key === "b") return branchAt(model, name);
    if (key === "r") return openPlace(model, "review", { from: `${name}^`, to: name, turn: name });
    return undefined;
  },
};
