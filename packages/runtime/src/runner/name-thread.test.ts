import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Model, ModelEnd, ModelRequest } from "../model/model.ts";
import { TemporaryRetake } from "../testing/temporary-retake.ts";

let place: TemporaryRetake;
let asked: ModelRequest[];
beforeEach(() => {
  place = new TemporaryRetake();
  asked = [];
});
afterEach(() => place.remove());

const naming = (title: string, end?: ModelEnd): Model => ({
  name: "compatible/naming",
  async *stream(request) {
    asked.push(request);
    yield { kind: "text", text: request.purpose === "title" ? title : "Done." };
    yield request.purpose === "title" && end
      ? end
      : { kind: "responded", stop: "end", calls: [], usage: { input_tokens: 10 } };
  },
});

async function firstTurn(title: string, prompt: string, model: Model): Promise<string> {
  const thread = await place.workspace.newThread(title);
  await say(thread, prompt, model);
  return thread;
}

const say = (thread: string, prompt: string, model: Model) =>
  place.workspace.run({
    thread,
    prompt,
    model,
    mode: "all",
    approve: async () => "deny",
    onEvent: () => {},
    signal: new AbortController().signal,
  });

const titleOf = (thread: string) => place.workspace.threads().find(({ id }) => id === thread)?.title;
const titles = () => asked.filter(({ purpose }) => purpose === "title");

describe("the title of a thread", () => {
  test("[R7] is made by the model in the first turn, from the prompt, and goes and comes with that turn", async () => {
    const thread = await firstTurn("fix the parser", "fix the parser", naming('"Parser: mend it."\nmore'));
    expect(titleOf(thread)).toBe("Parser: mend it");
    expect(titles()).toHaveLength(1);
    expect(titles()[0]).toMatchObject({ tools: [], max_tokens: 1024, thinking: "off" });
    await place.workspace.undo(thread, { count: 1 });
    expect(titleOf(thread)).toBe("fix the parser");
    await place.workspace.redo(thread, 1);
    expect(titleOf(thread)).toBe("Parser: mend it");
    await say(thread, "and now the printer", naming("Printer"));
    expect(titleOf(thread)).toBe("Parser: mend it");
    expect(titles()).toHaveLength(1);
  });

  test("[R7] of a thread without one comes from the first prompt, also without the model's help", async () => {
    const thread = await firstTurn("Thread", "fix the parser\nplease", naming(""));
    expect(titleOf(thread)).toBe("fix the parser please");
    const other = await firstTurn("Thread 2", "fix the parser please", naming("Parser"));
    expect(titleOf(other)).toBe("Parser");
    await place.workspace.undo(thread, { count: 1 });
    expect(titleOf(thread)).toBe("Thread");
    await say(thread, "another way", naming(""));
    expect(titleOf(thread)).toBe("another way");
  });

  test("stays where the user gave one, where the configuration says so, and where the model fails", async () => {
    expect(titleOf(await firstTurn("my own", "fix it", naming("Other")))).toBe("my own");
    const failed = { kind: "failed", code: "server", message: "no" } as const;
    expect(titleOf(await firstTurn("one", "one", naming("", failed)))).toBe("one");
    expect(titleOf(await firstTurn("two", "two", naming("  \n")))).toBe("two");
    asked = [];
    const { config } = place.workspace.store.directories;
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, "config.toml"), "[agent]\ntitles = false\n");
    expect(titleOf(await firstTurn("three", "three", naming("Other")))).toBe("three");
    expect(titles()).toHaveLength(0);
  });

  test("[D5] is one that no other thread has", async () => {
    await place.workspace.newThread("Parser");
    expect(titleOf(await firstTurn("fix it", "fix it", naming("Parser")))).toBe("Parser 2");
  });
});
