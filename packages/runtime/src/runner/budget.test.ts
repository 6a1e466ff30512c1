import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { activeTake, changeSetting, entries, setting } from "@retake/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import fc, { cases } from "../../../../testing/fast-check.ts";
import type { Model, ModelEnd } from "../model/model.ts";
import { TemporaryRetake } from "../testing/temporary-retake.ts";
import { Budget } from "./budget.ts";
import type { ApprovalQuestion, TurnEvent } from "./turn.ts";

let place: TemporaryRetake;
let thread: string;
beforeEach(async () => {
  asked.length = 0;
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

const asked: ApprovalQuestion[] = [];

async function say(prompt: string, model: Model, { events = [], answer = "deny", questions = true }: Options = {}) {
  return place.workspace.run({
    questions,
    thread,
    prompt,
    model,
    mode: "all" as const,
    approve: async (question) => {
      asked.push(question);
      return answer;
    },
    onEvent: (event) => void events.push(event),
    signal: new AbortController().signal,
  });
}

interface Options {
  readonly events?: TurnEvent[];
  readonly answer?: "allow" | "deny";
  readonly questions?: boolean;
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

  test("[AG47] asks whether the turn may cost more: yes goes on and is kept with the thread, no ends the turn", async () => {
    configure(`[agent]\nbudget = 2\n${PRICE}`);
    expect(await say("go", dear(3), { answer: "allow" })).toMatchObject({ status: "finished" });
    const question = { name: "budget", call_id: "budget", number: 1, of: 1, notices: [] };
    expect(asked).toMatchObject([{ ...question, input: { cost: 2, budget: 2, raised: 4 } }]);
    const budget = place.workspace.store.read(thread, ({ state }) => setting(state, activeTake(state), "budget"));
    expect(budget).toBe(4);
    // Nobody is asked again before it is used up.
    expect(await say("more", dear())).toMatchObject({ status: "finished" });
    expect(asked).toHaveLength(1);
    expect(await say("more", dear())).toMatchObject({ status: "failed", failure: { code: "over-budget" } });
    expect(asked[1]).toMatchObject({ input: { cost: 4, budget: 4, raised: 6 } });
    expect(await say("more", dear(), { questions: false, answer: "allow" })).toMatchObject({ status: "failed" });
    expect(asked).toHaveLength(2);
  });

  test("[AG47] amounts are counted as decimals: a budget is used up at its cent, and is raised to whole steps above the cost", () => {
    const cents = fc.integer({ min: 1, max: 1000 });
    fc.assert(
      fc.property(cents, cents, (step, cost) => {
        const sum = Array.from({ length: cost }, () => 0.01).reduce((all, cent) => all + cent);
        const problem = new Budget(step / 100, {}, () => sum).problem();
        const raised = (step * (Math.floor(cost / step) + 1)) / 100;
        expect(problem).toEqual(
          cost < step ? undefined : expect.objectContaining({ cost: cost / 100, budget: step / 100, raised }),
        );
      }),
      cases(300),
    );
    expect(new Budget(0.2, {}, () => 0.3, 0.1).problem()).toMatchObject({ raised: 0.4 });
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
    expect(await say("one", dear(), { events })).toMatchObject({ status: "finished" });
    expect(events).toContainEqual({ type: "notice", message: expect.stringContaining("cannot be kept") });
  });
});
