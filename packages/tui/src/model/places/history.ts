import { actorWord, operationWord } from "@retake/client/screen";
import { type Line, line, span } from "../../draw/line.ts";
import { branchAt, jumpTo, revert } from "../actions.ts";
import { call } from "../effect.ts";
import { say } from "../step.ts";
import type { ListDefinition } from "./definition.ts";
import { type FileDiff, fileDiffDetail } from "./file-diffs.ts";
import { clockTime, dateTime } from "./local-time.ts";

interface Operation {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  readonly actor: { readonly kind: string; readonly name?: string };
  readonly created_at: string;
  readonly turn_name?: string;
  readonly undone: boolean;
}

interface Shown extends Operation {
  readonly changes: readonly {
    readonly record: string;
    readonly name?: string;
    readonly status: string;
    readonly after?: Record<string, unknown>;
    readonly before?: Record<string, unknown>;
  }[];
  readonly files: readonly FileDiff[];
}

/** All operations of the take, newest first. */
export const history: ListDefinition = {
  title: () => "History",
  load: (_, thread) => call("getHistory", [thread, { limit: 500 }], { for: "list", name: "history", about: {} }),
  items: (answer) =>
    (answer as { operations: Operation[] }).operations.map(
      ({ id, name, kind, description, actor, created_at, turn_name, undone }) => {
        const tone = undone ? "struck" : "plain";
        return {
          key: id,
          line: line(span(`${name} `, "quiet"), span(description.replace(/\s+/g, " "), tone)),
          right: line(span(undone ? "undone " : "", "warning"), span(clockTime(created_at), "quiet")),
          data: { name, description, turn: turn_name ?? "", kind: operationWord(kind), actor: actorWord(actor) },
        };
      },
    ),
  detail: (_, thread, { key }) => call("getOperation", [thread, key], { for: "detail", name: "history", key }),
  detailOf: (answer, item) => {
    const { name, kind, actor, created_at, changes, files } = answer as Shown;
    const head: Line[] = [
      // The list names the whole group: the operation itself may be its last step.
      line(span(String(item.data["description"]), "strong")),
      line(span(`${name} · ${operationWord(kind)} · ${actorWord(actor)} · ${dateTime(created_at)}`, "quiet")),
      [],
      ...changes
        .filter(({ record }) => /entry:|setting:|take:/.test(record))
        .map(({ record, name: called, status, after, before }) => {
          const value = after ?? before ?? {};
          const text = String(value["content"] ?? value["value"] ?? value["name"] ?? "").replace(/\s+/g, " ");
          return line(
            span(`${status} `, "quiet"),
            span(called ?? record.split("/").at(-1) ?? record, "accent"),
            span(` ${text.slice(0, 300)}`),
          );
        }),
      [],
    ];
    return fileDiffDetail(files, head);
  },
  empty: "Nothing has happened yet.",
  hints: [
    ["Enter", "go there"],
    ["x", "take back only it"],
    ["b", "branch there"],
    ["PgDn", "read on"],
    ["Esc", "back"],
  ],
  key: (model, _, __, item, key) => {
    if (!item) return undefined;
    const { name, turn } = item.data;
    if (key === "Enter" || key === "g") return jumpTo(model, item.key, `${name}`);
    if (key === "x") return revert(model, `only ${name}: ${item.data["description"]}`, { op: item.key });
    if (key === "b")
      return turn === ""
        ? say(model, "A take can begin at an entry or after a turn. Choose a turn.", "warning")
        : branchAt(model, String(turn));
    return undefined;
  },
};
