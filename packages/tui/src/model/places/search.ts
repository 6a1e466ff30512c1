import { line, span } from "../../draw/line.ts";
import { call } from "../effect.ts";
import { showThread } from "../shown-thread.ts";
import { andThen, step } from "../step.ts";
import type { ListDefinition } from "./definition.ts";

interface Found {
  readonly threads: readonly {
    readonly id: string;
    readonly title: string;
    readonly matches: readonly {
      readonly entry_id: string;
      readonly take: string;
      readonly role: string;
      readonly snippet: string;
    }[];
  }[];
}

/** Everything that was said, in all threads. */
export const search: ListDefinition = {
  title: ({ words = "" }) => `Search: ${words}`,
  load: (_, __, about) =>
    call("searchThreads", [{ words: about["words"] ?? "", limit: 50 }], { for: "list", name: "search", about }),
  items: (answer, model) =>
    (answer as Found).threads
      .toSorted((a, b) => Number(b.id === model.thread) - Number(a.id === model.thread))
      .flatMap(({ id, title, matches }) =>
        matches.map(({ entry_id, role, snippet }) => ({
          key: `${id} ${entry_id}`,
          line: line(span(`${role} `, "accent"), snippet.replace(/\s+/g, " ")),
          ...(id === model.thread ? {} : { right: line(span(title.slice(0, 24), "quiet")) }),
          data: { thread: id, entry: entry_id, title },
          detail: {
            lines: [
              line(span(title, "strong")),
              line(span(role, "accent")),
              [],
              ...snippet.split("\n").map((each) => line(each)),
            ],
            hunks: [],
          },
        })),
      ),
  empty: "Nothing was found.",
  hints: [
    ["Enter", "go there"],
    ["/", "other words"],
    ["Esc", "back"],
  ],
  key: (model, _, __, item, key) => {
    if (!item || key !== "Enter") return undefined;
    const entry = String(item.data["entry"]);
    const thread = String(item.data["thread"]);
    const next = { ...model, places: [], state: "moving" as const };
    if (thread !== model.thread) return andThen(showThread(next, thread), (shown) => step({ ...shown, focus: entry }));
    const seen = { ...next, focus: entry, anchor: { row: entry, line: 0 } };
    return step(seen, { kind: "show", window: { before: entry, count: 150 } });
  },
};
