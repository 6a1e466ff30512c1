import { plural } from "@retake/client/screen";
import { line, span } from "../../draw/line.ts";
import { call } from "../effect.ts";
import type { Model } from "../model.ts";
import { showThread, withoutThread } from "../shown-thread.ts";
import { andThen, replacePlace, type Step, say, step } from "../step.ts";
import type { ListDefinition } from "./definition.ts";
import { dateTime } from "./local-time.ts";
import { openPlace } from "./open-place.ts";

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
    ["z", "bring back"],
    ["Esc", "back"],
  ],
  key: (model, _, place, item, key) => {
    if (key === "n")
      return andThen(withoutThread({ ...model, places: [] }), (next) =>
        say(next, "A new thread begins with your next prompt."),
      );
    const last = deletedIn(place.about).at(-1);
    // Ctrl+Z would undo a step of the thread that is shown.
    if (last !== undefined && (key === "z" || key === "Ctrl+Z")) {
      const deleted = deletedIn(place.about).slice(0, -1).join(" ");
      const undone = call("undo", [last, { steps: 1 }], {
        for: "changed",
        say: "The thread is back: Enter opens it.",
        reload: "threads",
      });
      return step(replacePlace(model, { ...place, about: { deleted } }), undone);
    }
    if (key === "z") return say(model, "No thread was deleted here.");
    if (!item) return undefined;
    if (key === "Enter") return showThread({ ...model, places: [] }, item.key);
    if (key === "d") {
      const tag = { for: "thread-deleted", thread: item.key, title: String(item.data["title"]) } as const;
      return step(model, call("deleteThread", [item.key], tag));
    }
    return undefined;
  },
};

/** A thread is deleted, here or elsewhere. The list of threads shows it, and offers the way back. */
export function threadDeleted(
  model: Model,
  { thread, title }: { readonly thread: string; readonly title: string },
  isStillShared = false,
): Step {
  const at = model.places.findIndex((place) => place.kind === "list" && place.name === "threads");
  const place = model.places[at];
  const before = place?.kind === "list" ? deletedIn(place.about) : [];
  const about = { deleted: [...before.filter((each) => each !== thread), thread].join(" ") };
  const shared = isStillShared ? ` It is still shared; to end that: retake sync unshare ${thread}` : "";
  const words = `Deleted ${title}. z brings it back.${shared}`;
  const shown = model.thread === thread ? withoutThread(model) : step(model);
  return andThen(shown, (next) =>
    andThen(say(next, words), (said) =>
      place?.kind === "list"
        ? step({ ...said, places: said.places.with(at, { ...place, about }) }, threads.load(said, "", about))
        : openPlace({ ...said, places: [] }, "threads", about),
    ),
  );
}

function deletedIn({ deleted = "" }: Readonly<Record<string, string>>): readonly string[] {
  return deleted.split(" ").filter((each) => each !== "");
}
