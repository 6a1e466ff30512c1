import { describe, expect, test } from "vitest";
import { after, calls, key, typed } from "../testing/drive.ts";
import { modelOf, talkedView } from "../testing/talked-view.ts";

const model = modelOf(talkedView([["a prompt", "an answer"]]));
const run = (line: string) => after(model, ...typed(line), key("Enter"));

describe("a slash command", () => {
  test("that keeps running is named in the form that another terminal takes", () => {
    expect(run("/web").model.toast?.text).toBe("/web keeps running: start it in another terminal, as retake web.");
  });

  test("/undo refuses 0 and words as the command line does", () => {
    for (const count of ["0", "007", "two"])
      expect(run(`/undo ${count}`).effects).toContainEqual(
        expect.objectContaining({ kind: "command", args: ["undo", count, "--thread", "T-1"] }),
      );
    expect(calls(run("/undo 2").effects)).toEqual([["undo", { turns: 2, dry_run: true, detail: true }]]);
  });

  test("/run --new leaves the thread on the screen before it begins another one", () => {
    const kinds = run("/run --new hello").effects.flatMap((effect) =>
      effect.kind === "follow" || effect.kind === "begin" ? [effect] : [],
    );
    expect(kinds).toEqual([
      { kind: "follow", thread: undefined },
      { kind: "begin", prompt: "hello", options: {} },
    ]);
  });

  test("/run --approve sends nothing where the mode is unknown", () => {
    for (const line of ["/run --approve often hello", "/run hello --approve"]) {
      const { model: refused, effects } = run(line);
      expect(calls(effects)).toEqual([]);
      expect(refused.toast?.text).toContain("--approve takes undoable, ask, all");
    }
    expect(calls(run("/run --approve ask hello").effects)).toEqual([
      ["startTurn", { prompt: "hello", approve: "ask" }],
    ]);
  });
});
