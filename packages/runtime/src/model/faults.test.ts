import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { AnswerBlock, ChunkKind, Fault, ScriptedAnswer } from "./testing/answer-script.ts";
import { ModelSession } from "./testing/model-session.ts";
import { KEY } from "./testing/provider-server.ts";

/**
 * Every fault with every provider. A turn that meets one ends in a defined state: after a retry with the whole
 * answer once and nothing of the failed attempt, or with a failure that says what to do. And no fault writes the key.
 */
const MODELS = [
  "anthropic/claude-opus-5",
  "openai/gpt-5",
  "google/gemini-3-pro-preview",
  "deepseek/deepseek-v4",
  "compatible/qwen3",
] as const;

let session: ModelSession;
beforeAll(async () => {
  session = await ModelSession.start();
});
beforeEach(() => {
  // No wait but the one that the provider asks for.
  vi.spyOn(Math, "random").mockReturnValue(0);
  session.idle_ms = 60_000;
  return session.newThread();
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const written of [session.comms(), JSON.stringify(session.events), JSON.stringify(session.entries())]) {
    expect(written).not.toContain(KEY);
  }
  expect(session.server.refused).toEqual([]);
  // The conversation is valid, and nothing of the fault is left in it.
  session.server.answerWith(() => ({ blocks: [{ type: "text", text: "Going on." }] }));
  expect(await session.turn("Go on.", "anthropic/claude-opus-5")).toMatchObject({ status: "finished" });
  expect(session.server.refused).toEqual([]);
});
afterAll(() => session.close());

const THINKING: AnswerBlock = { type: "thinking", text: "I should write a file." };
const TEXT: AnswerBlock = { type: "text", text: "I write the file now." };
const CALL: AnswerBlock = { type: "call", id: "c1", name: "write", input: { path: "made", content: "made" } };

function answers(...list: readonly ScriptedAnswer[]): void {
  const left = [...list];
  session.server.answerWith(() => left.shift() ?? { blocks: [{ type: "text", text: "Done." }] });
}

/** How providers say that they do not take a proof of thinking. */
const REJECTIONS: Readonly<Record<string, string>> = {
  anthropic: "messages.1.content.0: Invalid `signature` in `thinking` block",
  openai: "The encrypted content gAAA for item rs_1 could not be verified.",
  google: "Thought signature is not valid.",
};

const retries = () => session.events.flatMap((event) => (event.type === "retry" ? [event.message] : []));

describe.each(MODELS)("%s", (model) => {
  const thinks = !model.startsWith("compatible");

  test.each([
    [429, "limits how much may be asked", { "retry-after": "0" }],
    [429, "limits how much may be asked", { "retry-after-ms": "1" }],
    [529, "is overloaded", {}],
    [503, "is overloaded", {}],
    [500, "failed to answer", {}],
  ])("[AG40] %i is retried, visibly", async (status, words, headers) => {
    const fault: Fault = { kind: "status", status, headers: headers as Record<string, string> };
    answers({ fault }, { fault }, { blocks: [TEXT] });
    expect(await session.turn("Go.", model)).toMatchObject({ status: "finished" });
    expect(retries()).toHaveLength(2);
    expect(retries()[0]).toContain(words);
    expect(session.entries().map(({ content }) => content)).toEqual(["Go.", "I write the file now."]);
  });

  const places: ChunkKind[] = ["start", "text", "arguments", ...(thinks ? (["thinking"] as const) : [])];
  test.each(places.flatMap((after) => (["drop", "end", "malformed"] as const).map((kind) => [kind, after] as const)))(
    "[AG43] a stream that meets %s after %s is retried, and nothing is there twice",
    async (kind, after) => {
      const blocks = [THINKING, TEXT, CALL];
      answers({ blocks, fault: { kind, after } }, { blocks });
      expect(await session.turn("Go.", model)).toMatchObject({ status: "finished" });
      expect(retries()).toHaveLength(1);
      expect(session.entries().map(({ content }) => content)).toEqual([
        "Go.",
        "I write the file now.",
        expect.stringContaining("made"),
        "Done.",
      ]);
      expect(session.entries()[1]?.thinking_segments?.map(({ text }) => text)).toEqual(
        thinks ? ["I should write a file."] : undefined,
      );
      expect(session.entries()[1]?.tool_calls).toHaveLength(1);
      expect(session.told()).toBe("Done.");
    },
  );

  test("[AG40] retries a stalled stream", async () => {
    session.idle_ms = 200;
    // On a busy machine a good answer may take longer than that too: then the next one counts.
    answers({ blocks: [TEXT], fault: { kind: "stall", after: "text" } }, ...Array(4).fill({ blocks: [TEXT] }));
    expect(await session.turn("Go.", model)).toMatchObject({ status: "finished" });
    expect(retries()[0]).toMatch(/stopped answering/);
    expect(session.told()).toBe("I write the file now.");
  });

  test("[AG40] retries after an error in the middle of a stream", async () => {
    const type = { google: "UNAVAILABLE", anthropic: "overloaded_error" }[model.split("/")[0] ?? ""] ?? "server_error";
    answers(
      { blocks: [TEXT], fault: { kind: "error-event", after: "text", type, message: `no with ${KEY}` } },
      { blocks: [TEXT] },
    );
    expect(await session.turn("Go.", model)).toMatchObject({ status: "finished" });
    expect(retries()).toHaveLength(1);
    expect(session.entries().map(({ content }) => content)).toEqual(["Go.", "I write the file now."]);
  });

  test.each(["not found, <html>", { error: "Unexpected endpoint or method." }, [{ error: { message: "No." } }]])(
    "[AG40] a successful answer that is no stream of events is named: %j",
    async (body) => {
      answers({ fault: { kind: "status", status: 200, body: [body] } }, { blocks: [TEXT] });
      expect(await session.turn("Go.", model)).toMatchObject({ status: "finished" });
      expect(retries()).toEqual([expect.stringContaining(`not with a stream of events: ${JSON.stringify([body])}`)]);
    },
  );

  test("[AG40] a refusal in another form than the provider's is read", async () => {
    const message = "This model's maximum context length is 8192 tokens.";
    for (const body of [{ object: "error", message }, { error: message }, { detail: message }, message]) {
      answers({ fault: { kind: "status", status: 400, body } });
      expect(await session.turn("Go.", model)).toMatchObject({
        status: "failed",
        failure: { code: "context-overflow", message: expect.stringContaining(message) },
      });
    }
  });

  const rejects = REJECTIONS[model.split("/")[0] ?? ""];
  test.runIf(rejects !== undefined)(
    "[F35] [AG46] where the proof of earlier thinking is rejected it is left out, and the turn goes on",
    async () => {
      answers({ blocks: [THINKING, TEXT, CALL] });
      await session.turn("Go.", model);
      const { thinking_segments = [], tool_calls = [] } = session.entries()[1] ?? {};
      const proofs = [...thinking_segments, ...tool_calls].flatMap(({ signature }) => signature ?? []);
      expect(proofs).not.toEqual([]);
      const fault: Fault = { kind: "status", status: 400, body: errorBody(model, 400, rejects ?? "") };
      session.server.answerWith(({ text }) =>
        proofs.some((proof) => text.includes(proof)) ? { fault } : { blocks: [TEXT] },
      );
      expect(await session.turn("Again.", model)).toMatchObject({ status: "finished" });
      expect(retries()).toEqual([expect.stringContaining("proof of its earlier thinking")]);
      expect(session.told()).toBe("I write the file now.");
    },
  );

  test.each([
    [401, "invalid-key", undefined],
    [404, "unknown-model", undefined],
    [400, "context-overflow", "This model's maximum context length is 8192 tokens. However, you requested 9000."],
    [400, "refused", "The response was filtered due to content management policy."],
  ])("[AG40] %i ends the turn as %s, with what to do", async (status, code, message) => {
    const body = message === undefined ? undefined : errorBody(model, status, message);
    answers({ fault: { kind: "status", status, ...(body ? { body } : {}) } });
    const ended = await session.turn("Go.", model);
    expect(ended).toMatchObject({ status: code === "refused" ? "refused" : "failed", failure: { code } });
    expect(String(ended.failure?.["advice"])).not.toBe("");
    expect(retries()).toEqual([]);
    expect(session.entries().map(({ content }) => content)).toEqual(["Go."]);
  });

  test("[AG42] ends the turn when a fault persists, and keeps the partial answer", async () => {
    session.server.answerWith(() => ({ blocks: [TEXT], fault: { kind: "drop", after: "text" } }));
    expect(await session.turn("Go.", model)).toMatchObject({ status: "failed", failure: { code: "network" } });
    expect(retries()).toHaveLength(8);
    expect(session.entries()).toHaveLength(2);
    expect(session.entries()[1]).toMatchObject({ content: "I write", partial: "failed" });
  });

  // Gemini's calls are JSON in themselves: one that is none is a malformed chunk.
  if (!model.startsWith("google")) {
    test("[AG32] tells the model about a call whose input is not JSON, and does not run it", async () => {
      answers({ blocks: [TEXT, { ...CALL, input: '{"path": "a", "con' }] });
      expect(await session.turn("Go.", model)).toMatchObject({ status: "finished" });
      expect(session.entries()[2]).toMatchObject({
        tool_result: { status: "failed" },
        content: expect.stringContaining("not a JSON object"),
      });
    });
  }

  test("[AG32] tells the model about a call of an unknown tool", async () => {
    answers({ blocks: [{ ...CALL, name: "launch" }] });
    expect(await session.turn("Go.", model)).toMatchObject({ status: "finished" });
    expect(session.entries()[2]?.content).toContain("There is no tool launch");
  });

  test("[AG11] runs two calls with one id, each with its own result", async () => {
    answers({ blocks: [CALL, { ...CALL, input: { path: "other", content: "other" } }] });
    expect(await session.turn("Go.", model)).toMatchObject({ status: "finished" });
    const results = session.entries().flatMap(({ tool_result }) => (tool_result ? [tool_result] : []));
    expect(results.map(({ status }) => status)).toEqual(["completed", "completed"]);
    expect(new Set(results.map(({ call_id }) => call_id)).size).toBe(2);
  });

  test("[AG50] an interrupt keeps exactly the reported part of the answer", async () => {
    const stop = new AbortController();
    answers({ blocks: [THINKING, TEXT, CALL], fault: { kind: "stall", after: "text" } });
    const onEvent = ({ type }: { type: string }) => type === "text" && stop.abort();
    expect(await session.turn("Go.", model, { signal: stop.signal, onEvent })).toMatchObject({ status: "interrupted" });
    expect(session.entries()).toHaveLength(2);
    expect(session.entries()[1]).toMatchObject({ content: session.told(), partial: "interrupted" });
  });
});

test("OpenAI: an organization without access to summaries of thinking works without them, in the same turn", async () => {
  const message = "Your organization must be verified to generate reasoning summaries.";
  session.server.answerWith(({ body }) =>
    JSON.stringify(body["reasoning"] ?? {}).includes("summary")
      ? { fault: { kind: "status", status: 400, body: errorBody("openai", 400, message) } }
      : { blocks: [TEXT] },
  );
  expect(await session.turn("Go.", "openai/gpt-5")).toMatchObject({ status: "finished" });
  expect(retries()).toEqual([]);
});

test("[AG41] accepts a date as Retry-After", async () => {
  const date = new Date(Date.now() + 1000).toUTCString();
  answers({ fault: { kind: "status", status: 429, headers: { "retry-after": date } } });
  await session.turn("Go.", "anthropic/claude-opus-5");
  const retry = session.events.find((event) => event.type === "retry");
  expect(retry?.type === "retry" && Math.abs(retry.retry_at - Date.parse(date))).toBeLessThan(100);
});

test("[AG41] reads Google's wait from the body of the error", async () => {
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "400s" }];
  const body = { error: { code: 429, message: "Slow down.", status: "RESOURCE_EXHAUSTED", details } };
  answers({ fault: { kind: "status", status: 429, body } });
  const ended = await session.turn("Go.", "google/gemini-2.5-flash");
  expect(ended).toMatchObject({ status: "failed", failure: { code: "rate-limited" } });
  expect(ended.failure?.["message"]).toContain("asks to wait 400 s");
});

function errorBody(model: string, status: number, message: string): unknown {
  if (model.startsWith("google")) return { error: { code: status, message, status: "INVALID_ARGUMENT" } };
  if (model.startsWith("anthropic")) return { type: "error", error: { type: "invalid_request_error", message } };
  return { error: { message, type: "invalid_request_error", param: null, code: null } };
}
