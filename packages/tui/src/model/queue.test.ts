import type { RetakeEvent } from "@retake/client";
import { describe, expect, test } from "vitest";
import { after, calls, key, screen, typed } from "../testing/drive.ts";
import { modelOf, talkedView } from "../testing/talked-view.ts";
import type { Event, Tag } from "./effect.ts";

const told = (event: object): Event => ({
  type: "told",
  event: { thread_id: "T-1", ...event } as unknown as RetakeEvent,
});
const queued = (turn_id: string, prompt: string) => told({ type: "turn-queued", turn_id, prompt });
const answered = (tag: Tag, answer: unknown = {}): Event => ({ type: "answered", tag, answer });
const sent = (prompt: string) => [...typed(prompt), key("Enter")];

const running = modelOf(talkedView([["a prompt", "an answer"]], true));

describe("prompts that are sent before their thread is there", () => {
  const both = after(modelOf(undefined), ...sent("one"), ...sent("two"), ...sent("three"));

  test("begin one thread, are shown, and follow one after the other", () => {
    expect(both.effects.filter(({ kind }) => kind === "begin")).toEqual([
      { kind: "begin", prompt: "one", options: {} },
    ]);
    expect(screen(both.model)).toContain("waits: two");
    const followed = after(both.model, { type: "followed", thread: "T-1" });
    expect(calls(followed.effects).filter(([name]) => name === "startTurn")).toEqual([]);
    const first = after(followed.model, answered({ for: "sent", prompt: "one" }));
    expect(calls(first.effects)).toEqual([["startTurn", { prompt: "two" }]]);
    const second = after(first.model, answered({ for: "sent", prompt: "two" }));
    expect(calls(second.effects)).toEqual([["startTurn", { prompt: "three" }]]);
    const third = after(second.model, answered({ for: "sent", prompt: "three" }), ...sent("four"));
    expect(calls(third.effects)).toContainEqual(["startTurn", { prompt: "four" }]);
  });

  test("come back in front of what was typed meanwhile if the turn cannot begin", () => {
    const typedOn = after(running, ...sent("one"), ...typed("two")).model;
    const tag: Tag = { for: "sent", prompt: "one" };
    const { model } = after(typedOn, { type: "failed", tag, code: "no-model", message: "No model." });
    expect(model.composer.text).toBe("one\ntwo");
    expect(after(model, key("Ctrl+Z")).model.composer.text).toBe("two");
  });

  test("come back into the field together if the thread cannot begin", () => {
    const tag: Tag = { for: "sent", prompt: "one" };
    const { model } = after(both.model, { type: "failed", tag, code: "no-model", message: "No model." });
    expect(model.composer.text).toBe("one\ntwo\nthree");
    expect(after(model, key("Enter")).effects).toContainEqual(expect.objectContaining({ kind: "begin" }));
  });
});

describe("the queue", () => {
  test("[S9] is asked for by a screen that comes later; turns that have begun are not in it", () => {
    const followed = after(running, { type: "followed", thread: "T-1" });
    expect(calls(followed.effects)).toContainEqual(["listTurns", { last: 50 }]);
    const turns = [
      { id: "turn1", prompt: "a prompt", status: "queued" },
      { id: "turn2", prompt: "the next one", status: "queued" },
      { id: "turn0", prompt: "an old one", status: "finished" },
    ];
    const { model } = after(followed.model, answered({ for: "queue", thread: "T-1" }, { turns }));
    expect(model.queue).toEqual([{ turn: "turn2", prompt: "the next one" }]);
    const other = after(followed.model, answered({ for: "queue", thread: "T-2" }, { turns }));
    expect(other.model.queue).toEqual([]);
  });

  test("[X2] gives a prompt back that does not begin, and only to the screen where it was written", () => {
    const waiting = after(running, ...sent("the next one"), queued("turn2", "the next one")).model;
    const stopped = told({ type: "turn-not-started", turn_id: "turn2", code: "interrupted", message: "Interrupted." });
    const given = after(waiting, stopped).model;
    expect([given.composer.text, given.queue]).toEqual(["the next one", []]);
    expect(screen(given)).toContain("Interrupted.");
    expect(after({ ...waiting, composer: given.composer }, stopped).model.composer.text).toBe("the next one");
    const elsewhere = after(running, queued("turn2", "of another terminal"), stopped).model;
    expect(elsewhere.composer.text).toBe("");
  });

  test("is of one thread: another thread begins without it", () => {
    const waiting = after(running, queued("turn2", "the next one")).model;
    expect(screen(waiting)).toContain("waits: the next one");
    expect(after(waiting, ...sent("/new")).model.queue).toEqual([]);
    expect(after(waiting, { type: "followed", thread: "T-2" }).model.queue).toEqual([]);
  });

  test("gives a prompt back into the field only when it is out of the queue", () => {
    const waiting = after(running, queued("turn2", "the next one"), ...typed("more")).model;
    const asked = after(waiting, key("Ctrl+X"), key("q"));
    expect(calls(asked.effects)).toEqual([["removeQueuedTurn", "turn2"]]);
    expect(asked.model.composer.text).toBe("more");
    const tag: Tag = { for: "unqueued", turn: "turn2", prompt: "the next one" };
    const back = after(
      asked.model,
      told({ type: "turn-not-started", turn_id: "turn2", code: "removed" }),
      answered(tag),
    );
    expect(back.model).toMatchObject({ queue: [], toast: undefined, composer: { text: "the next one\nmore" } });
    const late = after(asked.model, { type: "failed", tag, code: "agent-running", message: "The turn has begun." });
    expect(late.model).toMatchObject({ queue: [], toast: { text: "The turn has begun." }, composer: { text: "more" } });
  });

  test("[S9] shows prompts that waited when the process ended, and runs or gives them back only when asked", () => {
    const turns = [
      { id: "turn2", prompt: "one", status: "paused" },
      { id: "turn3", prompt: "two", status: "paused" },
    ];
    const followed = after(running, { type: "followed", thread: "T-1" }).model;
    const { model } = after(followed, answered({ for: "queue", thread: "T-1" }, { turns }));
    expect(screen(model)).toContain("paused: one  Ctrl+X C runs it");
    for (const asked of [after(model, key("Ctrl+X"), key("c")), after(model, ...sent("/queue continue"))])
      expect(calls(asked.effects)).toContainEqual(["continueTurns", {}]);
    // The turns themselves say that they begin; a refusal says why they do not.
    expect(after(model, answered({ for: "nothing" }, { op_id: null })).model.toast).toBeUndefined();
    const refused = { type: "failed", tag: { for: "nothing" }, code: "no-model", message: "No key." } as const;
    expect(screen(after(model, refused).model)).toContain("No key.");
    const removed = after(model, ...sent("/queue remove 1"));
    expect(calls(removed.effects)).toContainEqual(["removeQueuedTurn", "turn2"]);
    expect(calls(after(running, key("Ctrl+X"), key("c")).effects)).toEqual([]);
  });

  test("[S9] keeps a prompt as paused, and not in the field too, when its server ends", () => {
    const waiting = after(running, ...sent("the next one"), queued("turn2", "the next one")).model;
    const ended = after(waiting, told({ type: "turn-not-started", turn_id: "turn2", code: "paused", message: "…" }));
    expect(ended.model.queue).toEqual([{ turn: "turn2", prompt: "the next one", isPaused: true }]);
    expect(ended.model.composer.text).toBe("");
  });
});
