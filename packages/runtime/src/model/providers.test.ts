import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { addPath, titleFrom } from "@retake/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AnswerBlock } from "./testing/answer-script.ts";
import { MODELS, ModelSession } from "./testing/model-session.ts";

let session: ModelSession;
beforeAll(async () => {
  session = await ModelSession.start();
});
beforeEach(() => session.newThread());
afterAll(() => session.close());

const THOUGHTS = "First I look.\n\nThen I see: é 🙂.";
const call = (id: string, path: string): AnswerBlock => ({
  type: "call",
  id,
  name: "write",
  input: { path, content: id },
});

/** Two steps with thinking: text and two calls, then text. */
function plays(first: readonly AnswerBlock[], ...others: readonly (readonly AnswerBlock[])[]): void {
  const steps = [first, ...others];
  session.server.answerWith(() => ({ blocks: steps.shift() ?? [{ type: "text", text: "Nothing more." }] }));
}

describe.each(MODELS)("%s", (model) => {
  const thinks = !/gpt-4|compatible/.test(model);

  test("[P6] [L1] streams text, thinking and parallel calls, and accepts its own words back", async () => {
    plays(
      [
        { type: "thinking", text: THOUGHTS },
        { type: "text", text: "I write two files. 🙂" },
        call("a1", "a"),
        call("a2", "b"),
      ],
      [
        { type: "thinking", text: "Both are there." },
        { type: "text", text: "Done." },
      ],
      [{ type: "text", text: "You are welcome." }],
    );
    expect(await session.turn("Write a and b.", model)).toMatchObject({ status: "finished" });
    expect(await session.turn("Thank you.", model)).toMatchObject({ status: "finished" });
    expect(session.server.refused).toEqual([]);

    const [, step, ...results] = session.entries();
    expect(step?.content).toBe("I write two files. 🙂");
    expect(step?.tool_calls?.map(({ name, input }) => [name, input["path"]])).toEqual([
      ["write", "a"],
      ["write", "b"],
    ]);
    expect(results.slice(0, 2).map(({ tool_result }) => tool_result?.status)).toEqual(["completed", "completed"]);
    const thoughts = step?.thinking_segments?.map(({ text }) => text).join("");
    expect(thoughts).toBe(thinks ? THOUGHTS : undefined);
    expect(session.events.flatMap((event) => (event.type === "thinking" ? [event.text] : [])).join("")).toBe(
      thinks ? `${THOUGHTS}Both are there.` : "",
    );
  });

  test("[P6] accepts the conversation of a sub-agent, with several calls in one step", async () => {
    const task: AnswerBlock = { type: "call", id: "h", name: "agent", input: { task: "Write two.", may_write: true } };
    plays(
      [task],
      [
        { type: "thinking", text: THOUGHTS },
        { type: "text", text: "Two files." },
        call("s1", "one"),
        call("s2", "two"),
      ],
      [{ type: "text", text: "Both are written." }],
      [{ type: "text", text: "The helper is done." }],
    );
    expect(await session.turn("Let a helper write.", model, { helpers: true })).toMatchObject({ status: "finished" });
    expect(session.server.refused).toEqual([]);
    expect(session.server.asked).toHaveLength(4);
    const [, , result] = session.entries();
    expect(result).toMatchObject({ content: "Both are written.", tool_result: { status: "completed" } });
  });

  test("[R7] accepts the request for a title", async () => {
    const prompt = `Name this for ${model}`;
    session.thread = await session.workspace.newThread(titleFrom(prompt));
    session.server.answerWith(({ body }) => {
      const isTitle = JSON.stringify(body).includes("You name conversations");
      return { blocks: [{ type: "text", text: isTitle ? `Title for ${model}` : "Hello." }] };
    });
    expect(await session.turn(prompt, model)).toMatchObject({ status: "finished" });
    expect(session.server.refused).toEqual([]);
    const titles = session.workspace.threads().map(({ title }) => title);
    expect(titles).toContain(titleFrom(`Title for ${model}`));
  });

  test("[P3] reports its usage, with the cache separate", async () => {
    plays([{ type: "text", text: "Hello." }]);
    const { usage } = await session.turn("Hello?", model);
    expect(usage["output_tokens"]).toBe(12);
    if (!model.startsWith("anthropic")) expect(usage).toMatchObject({ input_tokens: 60, cache_read_input_tokens: 40 });
  });

  test("stops with the provider's reason", async () => {
    session.server.answerWith(() => ({ blocks: [{ type: "text", text: "Once upon a" }], stop: "length" }));
    expect(await session.turn("Tell.", model)).toMatchObject({ status: "cut-off" });
    session.server.answerWith(() => ({ blocks: [{ type: "text", text: "I would" }, call("x", "x")], stop: "refused" }));
    expect(await session.turn("Harm.", model)).toMatchObject({ status: "refused" });
    expect(session.entries().at(-1)).toMatchObject({ role: "AI", content: "I would" });
  });

  test("[S2] is shown screenshots, or told that it is not", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    writeFileSync(join(session.root, "shot.png"), png);
    writeFileSync(join(session.root, "text.png"), "no image");
    const large = Buffer.from(png);
    large.writeUInt32BE(8001, 16);
    writeFileSync(join(session.root, "large.png"), large);
    for (const path of ["shot.png", "text.png", "gone.png", "large.png"]) {
      session.workspace.store.change(session.thread, (state, context) =>
        addPath(state, context, { list: "screenshot", member: { path } }),
      );
    }
    plays([{ type: "text", text: "I see." }]);
    await session.turn("Look.", model);
    expect(session.server.refused).toEqual([]);
    const sent = session.server.asked[0]?.text ?? "";
    const shown = sent.includes(png.toString("base64"));
    expect(shown).toBe(model !== "deepseek/deepseek-reasoner");
    if (!shown) expect(sent).toContain("The image shot.png is not shown: this model takes no images.");
    expect(sent).toContain("The image text.png is not shown: it is no PNG, JPEG, GIF or WebP image.");
    expect(sent).toContain("The image gone.png is not shown: there is no such file.");
    expect(sent).toContain("The image large.png is not shown: one of its sides has more than 8000 pixels.");
    expect(session.comms()).not.toContain(png.toString("base64"));
  });

  test("[X7] repeats earlier messages byte for byte", async () => {
    let first = 0;
    session.server.answerWith(({ number }) => {
      first ||= number - 1;
      const blocks: AnswerBlock[] = [
        { type: "thinking", text: `thought ${number}` },
        { type: "text", text: `step ${number}` },
      ];
      return { blocks: (number - first) % 3 === 0 ? blocks : [...blocks, call(`c${number}`, `file${number}`)] };
    });
    for (const prompt of ["one", "two", "three"]) await session.turn(prompt, model);
    expect(session.server.refused).toEqual([]);
    const conversations = session.server.asked.map(({ text }) => conversationIn(text));
    conversations.slice(1).forEach((now, index) => {
      const before = conversations[index] ?? "";
      // Its closing bracket is where the next one goes on.
      expect(now.startsWith(before.slice(0, -1))).toBe(true);
    });
    expect(conversations).toHaveLength(9);
  });
});

/** The list of messages as it came, without marks of the cache: they are no content, and move on. */
function conversationIn(text: string): string {
  const start =
    ['"messages":[', '"input":[', '"contents":['].map((each) => text.indexOf(each)).find((at) => at >= 0) ?? 0;
  const bare = text
    .slice(text.indexOf("[", start))
    .replaceAll(',"cache_control":{"type":"ephemeral"}', "")
    // DeepSeek's R1 wants what it thought only as long as a turn lasts.
    .replaceAll(/,"reasoning_content":"[^"]*"/g, "");
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < bare.length; at += 1) {
    const character = bare[at];
    if (character === "\\") at += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && (character === "[" || character === "{")) depth += 1;
    else if (!quoted && (character === "]" || character === "}")) depth -= 1;
    if (depth === 0) return bare.slice(0, at + 1);
  }
  return bare;
}

describe("Anthropic", () => {
  test("[X7] reads the cache from the second request on, also when a step adds more than 20 blocks", async () => {
    const model = "anthropic/claude-sonnet-4-5";
    const many = Array.from({ length: 15 }, (_, index) => call(`m${index}`, `many/${index}`));
    plays(
      [{ type: "thinking", text: "Hm." }, { type: "text", text: "Many." }, ...many],
      [{ type: "text", text: "Done." }],
      [{ type: "text", text: "Bye." }],
    );
    await session.turn("Go.", model);
    await session.turn("And?", model);
    const usages = session.entries().flatMap(({ usage }) => (usage ? [usage] : []));
    const [first, second, third] = usages.map(
      ({ cache_read_input_tokens: read, cache_creation_input_tokens: made }) => ({
        read: Number(read),
        made: Number(made),
      }),
    );
    expect(Number(first?.read) + Number(first?.made)).toBeGreaterThan(100);
    expect(second?.read).toBe(Number(first?.read) + Number(first?.made));
    expect(third?.read).toBe(Number(second?.read) + Number(second?.made));
  });

  test("announces the output limit and the thinking budget of the model, not the same for all", async () => {
    plays([{ type: "text", text: "One." }], [{ type: "text", text: "Two." }], [{ type: "text", text: "Three." }]);
    for (const model of ["claude-sonnet-4-5", "claude-3-5-haiku-latest", "claude-opus-5"])
      await session.turn("Go.", `anthropic/${model}`);
    expect(session.server.refused).toEqual([]);
    expect(session.server.asked.map(({ body }) => [body["max_tokens"], body["thinking"]])).toMatchObject([
      [48_000, { type: "enabled", budget_tokens: 16_000 }],
      [8192, undefined],
      [32_000, { type: "adaptive" }],
    ]);
  });

  test("[PR24] sends thinking between texts back in its place, also hidden thinking", async () => {
    const blocks: AnswerBlock[] = [
      { type: "redacted" },
      { type: "text", text: "Before." },
      { type: "thinking", text: "Between." },
      { type: "text", text: "After." },
      call("c", "c"),
    ];
    plays(blocks, [{ type: "text", text: "Done." }]);
    await session.turn("Go.", "anthropic/claude-opus-5");
    expect(session.server.refused).toEqual([]);
    const messages = session.server.asked[1]?.body["messages"] as unknown as { content: { type: string }[] }[];
    expect(messages[1]?.content.map(({ type }) => type)).toEqual([
      "redacted_thinking",
      "text",
      "thinking",
      "text",
      "tool_use",
    ]);
    expect(session.entries()[1]?.thinking_segments).toMatchObject([
      { redacted: true },
      { text: "Between.", text_before: 7 },
    ]);
  });

  test("[PR25] continues another model's tool loop without thinking, if the model would refuse it", async () => {
    plays([{ type: "text", text: "Calling." }, call("c", "c")]);
    const stop = new AbortController();
    const interrupted = session.turn("Go.", "openai/gpt-4.1", {
      signal: stop.signal,
      onEvent: ({ type }) => type === "tool-ended" && stop.abort(),
    });
    expect((await interrupted).status).toBe("interrupted");
    plays([
      { type: "thinking", text: "Hm." },
      { type: "text", text: "Going on." },
    ]);
    expect((await session.turn("Go on.", "anthropic/claude-sonnet-4-5")).status).toBe("finished");
    expect(session.server.refused).toEqual([]);
  });
});

test("[PR22] [X7] binds a signature to its model, its prefix and its answer", async () => {
  plays([
    { type: "thinking", text: "Hm." },
    { type: "text", text: "Yes." },
  ]);
  await session.turn("Go.", "anthropic/claude-opus-5");
  const [segment] = session.entries()[1]?.thinking_segments ?? [];
  expect(segment).toMatchObject({ model: "anthropic/claude-opus-5", signature: expect.stringMatching(/^sig-/) });
  expect([segment?.prefix, segment?.answer].every((hash) => /^[0-9a-f]{64}$/.test(String(hash)))).toBe(true);
});
