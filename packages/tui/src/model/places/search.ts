import { liveTakes } from "@retake/core";
import { line, span } from "../../draw/line.ts";
import { call } from "../effect.ts";
import type { ListItem, Model } from "../model.ts";
import { seek } from "../seek.ts";
import { showThread } from "../shown-thread.ts";
import type { ListDefinition } from "./definition.ts";
import { openPlace } from "./open-place.ts";

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
        matches.map(({ entry_id, take, role, snippet }) => ({
          key: `${id} ${entry_id}`,
          line: line(span(`${role} `, "accent"), snippet.replace(/\s+/g, " ")),
          ...whereOf(model, id === model.thread ? undefined : title, take),
          data: { thread: id, take, entry: entry_id },
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
    if (key === "/") return openPlace(model, "search");
    if (!item || key !== "Enter") return undefined;
    const { thread, take, entry } = item.data;
    const sought = { thread: String(thread), take: String(take), entry: String(entry) };
    const next = { ...model, places: [], state: "moving" as const, sought };
    return sought.thread === model.thread ? seek(next) : showThread(next, sought.thread);
  },
};

/** The thread where it is another one, or the take. */
function whereOf({ view }: Model, title: string | undefined, take: string): Pick<ListItem, "right"> {
  const name = title ?? (view && take !== view.take ? liveTakes(view.state).find(({ id }) => id === take)?.name : "");
  return name ? { right: line(span(name.slice(0, 24), "quiet")) } : {};
}
