import { recordOf } from "@retake/core";
import { describe, expect, test } from "vitest";
import { after, calls, key, screen } from "../../testing/drive.ts";
import { modelOf, talkedView } from "../../testing/talked-view.ts";
import type { Effect, Event } from "../effect.ts";
import type { Model } from "../model.ts";

const VIEW = talkedView([["a prompt", "an answer"]]);
const THREADS = ["T-1", "T-2"].map((id) => ({
  ...{ id, title: `Title of ${id}`, preview: "", turns: 1, takes: 1, running_turn: null },
  updated_at: "2026-11-17T10:00:00.000Z",
}));

const listed = (ids: readonly string[]): Event => ({
  type: "answered",
  tag: { for: "list", name: "threads", about: {} },
  answer: { threads: THREADS.filter(({ id }) => ids.includes(id)) },
});

const opened = after(modelOf(VIEW), { type: "open", name: "threads", about: {} }, listed(["T-1", "T-2"])).model;

/** The effects that call, with their threads. */
const made = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.kind === "call" ? [[effect.name, ...effect.args]] : []));

function deleted(model: Model, ...keys: readonly string[]) {
  const pressed = after(model, ...keys.map(key));
  const call = pressed.effects.find((effect) => effect.kind === "call");
  if (call?.kind !== "call" || call.name !== "deleteThread") throw new Error("nothing was deleted");
  return after(pressed.model, { type: "answered", tag: call.tag, answer: { op_id: "op", current: "T-1" } });
}

describe("a thread that is deleted", () => {
  test.each(["z", "Ctrl+Z"])("[D5] leaves the list at once, and %s brings it back", (back) => {
    const { model, effects } = deleted(opened, "j", "d");
    expect(screen(model)).toContain("Deleted Title of T-2. z brings it back.");
    expect(calls(effects)).toEqual([["summarizeThreads"]]);
    const undone = after(model, listed(["T-1"]), key(back));
    expect(made(undone.effects)).toEqual([["undo", "T-2", { steps: 1 }]]);
    const [call] = undone.effects;
    if (call?.kind !== "call") throw new Error("no call");
    const done = after(undone.model, { type: "answered", tag: call.tag, answer: { op_id: "op" } });
    expect(calls(done.effects)).toEqual([["summarizeThreads"]]);
    // There is nothing more to bring back.
    expect(calls(after(done.model, key("z")).effects)).toEqual([]);
  });

  test("[D5] is brought back only if it was deleted", () => {
    const pressed = after(opened, key("d"));
    const tag = { for: "thread-deleted", thread: "T-1", title: "" } as const;
    const { model } = after(pressed.model, { type: "failed", tag, code: "last-take", message: "The only one." });
    expect(calls(after(model, key("z")).effects)).toEqual([]);
  });

  test("[U7] is not on the screen any more, wherever it was deleted, and takes no prompts", () => {
    const thread = VIEW.state.thread.with("thread", { ...recordOf(VIEW.state, "thread"), deleted: true });
    const view = { ...VIEW, state: { ...VIEW.state, thread, version: VIEW.state.version + 1 } };
    const { model, effects } = after(modelOf(VIEW), { type: "viewed", view, now: 0 });
    expect(effects).toContainEqual({ kind: "follow", thread: undefined });
    expect(model).toMatchObject({ thread: undefined, view: undefined });
    const shown = screen(after(model, listed(["T-2"])).model);
    expect(shown).toContain("Threads of this workspace");
    expect(shown).toContain("Deleted A thread. z brings it back.");
  });
});
