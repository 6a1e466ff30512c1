import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { activeTake, changeSetting, entries } from "@retake/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Model, ModelEnd } from "../model/model.ts";
import { TemporaryRetake } from "../testing/temporary-retake.ts";
import type { TurnEvent } from "./turn.ts";

let place: TemporaryRetake;
let thread: string;
beforeEach(async () => {
  place = new TemporaryRetake();
  thread = await place.workspace.newThread("talk");
});
afterEach(() => place.remove());

function configure(text: string): void {
  const { config } = place.workspace.store.directories;
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "config.toml"), text);
}

/** A model that costs a dollar for each answer: the first of a turn asks for a tool, `steps` in all. */
function dear(steps = 1): Model {
  return {
    name: "compatible/dear",
    async *stream({ step }) {
      yield { kind: "text", text: `answer ${step}` };
      const calls = step < steps ? [{ id: `c${step}`, name: "glob", input: { pattern: "*" } }] : [];
      const stop = calls.length > 0 ? "tool-calls" : "end";
      yield { kind: "responded", stop, calls, usage: { input_tokens: 1_000_000 } } satisfies ModelEnd;
    },
  };
}

async function say(prompt: string, model: Model, events: TurnEvent[] = []) {
  return place.workspace.run({
    thread,
    prompt,
    model,
    mode: "all" as const,
    approve: async () => "deny" as const,
    onEvent: (event) => void events.push(event),
    signal: new AbortController().signal,
  });
}

const PRICE = '[prices."compatible/dear"]\ninput = 1\n';
const contents = () =>
  place.workspace.store.read(thread, ({ state }) =>
    [...entries(state, activeTake(state))].map(({ content }) => content),
  );

describe("the budget of a thread", () => {
  test("[AG40] stops a turn in the middle, before the request that would go beyond it, and keeps what was done", async () => {
    configure(`[agent]\nbudget = 2\n${PRICE}`);
    const done = await say("go", dear(5));
    expect(done).toMatchObject({ status: "failed", failure: { code: "over-budget" } });
    expect(JSON.stringify(done)).toContain("has cost $2.00, and its budget is $2.00");
    expect(contents().filter((text) => text.startsWith("answer"))).toEqual(["answer 1", "answer 2"]);
    expect(await say("again", dear())).toMatchObject({ status: "failed", failure: { code: "over-budget" } });
  });

  test("is raised by the thread's own setting, and counts turns that were undone: they were paid for", async () => {
    configure(`[agent]\nbudget = 1\n${PRICE}`);
    expect(await say("one", dear())).toMatchObject({ status: "finished" });
    await place.workspace.undo(thread, { count: 1 });
    expect(await say("two", dear())).toMatchObject({ status: "failed" });
    place.workspace.store.change(thread, (state, context) =>
      changeSetting(state, context, { field: "budget", value: 2 }),
    );
    expect(await say("three", dear())).toMatchObject({ status: "finished" });
    expect(await say("four", dear())).toMatchObject({ status: "failed" });
  });

  test("says that it cannot be kept where the price is not known", async () => {
    configure("[agent]\nbudget = 1\n");
    const events: TurnEvent[] = [];
    expect(await say("one", dear(), events)).toMatchObject({ status: "finished" });
    expect(events).toContainEqual({ type: "notice", message: expect.stringContaining("cannot be kept") });
  });
});
