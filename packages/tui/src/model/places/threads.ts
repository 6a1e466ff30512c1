import { plural } from "@retake/client/screen";
import { line, span } from "../../draw/line.ts";
import { withoutThread } from "../draft.ts";
import { call } from "../effect.ts";
import { say, step } from "../step.ts";
import type { ListDefinition } from "./definition.ts";
import { dateTime } from "./local-time.ts";

interface Threads {
  readonly threads: readonly {
    readonly id: string;
    readonly title: string;
    readonly preview: string;
    readonly turns: number;
    readonly takes: number;
    readonly updated_at: string;
    readonly running_turn: string | null;
  }[];
}

/** The threads of the workspace. */
export const threads: ListDefinition = {
  title: () => "Threads of this workspace",
  load: ({ status }) =>
    call("summarizeThreads", [{ workspace: status.root }], { for: "list", name: "threads", about: {} }),
  items: (answer, model) =>
    (answer as Threads).threads.map(({ id, title, preview, turns, takes, updated_at, running_turn }) => ({
      key: id,
      line: line(
        span(id === model.thread ? "● " : "  ", "accent"),
        title,
        span(running_turn === null ? "" : " running", "accent"),
      ),
      right: line(span(plural(turns, "turn"), "quiet")),
      data: { title },
      detail: {
        lines: [
          line(span(title, "strong")),
          line(span(`${plural(turns, "turn")}, ${plural(takes, "take")}, changed ${dateTime(updated_at)}`, "quiet")),
          [],
          line(preview),
        ],
        hunks: [],
      },
    })),
  empty: "There is no thread yet: write a prompt.",
  hints: [
    ["Enter", "open"],
    ["n", "new"],
    ["d", "delete"],
    ["Esc", "back"],
  ],
  key: (model, _, __, item, key) => {
    if (key === "n") return say({ ...withoutThread(model), places: [] }, "A new thread begins with your next prompt.");
    if (!item) return undefined;
    if (key === "Enter")
      return step(
        { ...model, places: [], thread: item.key, view: undefined, anchor: undefined, focus: undefined },
        { kind: "follow", thread: item.key },
      );
    if (key === "d")
      return step(
        model,
        call("deleteThread", [item.key], {
          for: "changed",
          say: `Deleted ${String(item.data["title"])}.`,
          reload: "threads",
        }),
      );
    return undefined;
  },
};
