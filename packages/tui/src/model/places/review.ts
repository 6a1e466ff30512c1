import { revert } from "../actions.ts";
import { call } from "../effect.ts";
import { replacePlace, say, step } from "../step.ts";
import type { ListDefinition } from "./definition.ts";
import { type FileDiff, fileDiffDetail, fileLine } from "./file-diffs.ts";

/** The changes of a turn, file by file and hunk by hunk. Without a turn: those since the last one. */
export const review: ListDefinition = {
  title: ({ turn, to }) =>
    turn === undefined
      ? to === undefined
        ? "Review: your own changes since the last turn"
        : `Review: until ${to}`
      : `Review: what ${turn} changed`,
  load: (_, thread, about) => call("diffThread", [thread, range(about)], { for: "list", name: "review", about }),
  items: (answer) =>
    (answer as { files: FileDiff[] }).files.map((file) => ({
      key: file.path,
      line: fileLine(file),
      data: { path: file.path },
    })),
  detail: (_, thread, { key }, about) =>
    call("diffThread", [thread, { ...range(about), path: key, hunks: true as never }], {
      for: "detail",
      name: "review",
      key,
    }),
  detailOf: (answer) => fileDiffDetail((answer as { files: FileDiff[] }).files, [], true),
  empty: "No file was changed.",
  hints: [
    ["j k", "file"],
    ["[ ]", "hunk"],
    ["x", "take back the hunk"],
    ["X", "take back the file"],
    ["Esc", "back"],
  ],
  key: (model, _, place, item, key) => {
    const { detail, hunk, about } = place;
    const count = detail?.hunks.length ?? 0;
    if (key === "]" || key === "[") {
      const next = Math.max(0, Math.min(count - 1, hunk + (key === "]" ? 1 : -1)));
      return step(replacePlace(model, { ...place, hunk: next, scroll: detail?.hunks[next]?.at ?? 0 }));
    }
    if (!item || (key !== "x" && key !== "X")) return undefined;
    const { turn } = about;
    if (turn === undefined)
      return say(model, "These are your own changes: your editor or git takes them back.", "warning");
    const edits = detail?.key === item.key ? detail.hunks[hunk]?.edits : undefined;
    const part = key === "x" && edits !== undefined ? { hunks: [{ path: item.key, edits }] } : { paths: [item.key] };
    const what = key === "x" && edits !== undefined ? `hunk ${hunk + 1} of ${item.key}` : item.key;
    return revert(model, `${what}, as ${turn} changed it`, { turn, ...part });
  },
};

function range({ from, to }: Readonly<Record<string, string>>) {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}
