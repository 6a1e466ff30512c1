import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openModel } from "./open-model.ts";
import { openGoogle } from "./providers/google.ts";
import { answer, request } from "./testing/request.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retake-script-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function openWith(script: string) {
  const file = join(folder, "script.json");
  writeFileSync(file, script);
  return openModel("scripted/default", { environment: { RETAKE_SCRIPT: file } });
}

test("scripted/default needs nothing", async () => {
  expect(await openModel("scripted/default", { environment: {} })).toMatchObject({
    kind: "model",
    model: { name: "scripted/default" },
  });
});

test.each([
  ["gpt", "invalid-name"],
  ["/x", "invalid-name"],
  ["scripted/", "invalid-name"],
  ["", "invalid-name"],
  ["nobody/gpt", "unknown-provider"],
  ["toString/x", "unknown-provider"],
  ["scripted/other", "unknown-model"],
])("%j is refused as %s, with the providers that there are and what to do", async (name, code) => {
  const refused = await openModel(name, { environment: {} });
  expect(refused).toMatchObject({ kind: "refused", code });
  expect(refused.kind === "refused" && refused.message).toMatch(
    /Providers: scripted, anthropic, .*\. Choose another with --model/,
  );
});

describe("RETAKE_SCRIPT", () => {
  test("names the script to play", async () => {
    const opened = await openWith('{"turns":[{"steps":[{"text":"from the file"}]}]}');
    if (opened.kind !== "model") throw new Error(opened.message);
    expect((await answer(opened.model, request([]))).text).toBe("from the file");
  });

  test("refuses a missing file by its name", async () => {
    const refused = await openModel("scripted/default", { environment: { RETAKE_SCRIPT: join(folder, "gone.json") } });
    expect(refused).toMatchObject({ kind: "refused", code: "script-unreadable" });
    expect(refused.kind === "refused" && refused.message).toContain("gone.json does not exist. No model was started");
  });

  test("refuses a directory as unreadable", async () => {
    expect(await openModel("scripted/default", { environment: { RETAKE_SCRIPT: folder } })).toMatchObject({
      code: "script-unreadable",
    });
  });

  test.each([
    ["{", "is not JSON"],
    ["[]", "the script must be an object"],
    ["{}", "`turns` must be a list of at least one turn"],
    ['{"turns":[]}', "`turns` must be a list of at least one turn"],
    ['{"turns":[{"steps":[]},{}]}', "`turns[1].steps` must be a list"],
    ['{"turns":[{"steps":[null]}]}', "`turns[0].steps[0]` must be an object"],
    ['{"turns":[{"steps":[{"text":1}]}]}', "`turns[0].steps[0].text` must be a text"],
    ['{"turns":[{"steps":[{"delay_ms":-1}]}]}', "`turns[0].steps[0].delay_ms` must be a number from 0"],
    ['{"turns":[{"steps":[{"tool_calls":{}}]}]}', "`turns[0].steps[0].tool_calls` must be a list"],
    ['{"turns":[{"steps":[{"tool_calls":[{}]}]}]}', "`turns[0].steps[0].tool_calls[0].name` must be the name"],
    ['{"turns":[{"steps":[{"tool_calls":[{"name":"a","input":[]}]}]}]}', "tool_calls[0].input` must be an object"],
  ])("%s is refused with the place of the fault", async (script, problem) => {
    const refused = await openWith(script);
    expect(refused).toMatchObject({ kind: "refused", code: "script-malformed" });
    expect(refused.kind === "refused" && refused.message).toContain(problem);
  });
});

test.each([
  ["gemini-2.5-flash", 0, { thinkingBudget: 0 }],
  ["gemini-2.5-pro", 0, { thinkingBudget: 128 }],
  ["gemini-2.5-pro", 1000, { thinkingBudget: 1000 }],
  ["gemini-2.5-pro", undefined, {}],
  ["gemini-3-pro-preview", 0, { thinkingLevel: "low" }],
])("%s with a thinking budget of %s is asked in a way that it accepts", (model, thinking_budget, expected) => {
  const { dialect } = openGoogle(model, { apiKey: "", baseURL: "http://127.0.0.1", fetch });
  const asked = request([], thinking_budget === undefined ? {} : { thinking_budget });
  const thinkingConfig = { includeThoughts: true, ...expected };
  expect(dialect.callOptions?.(asked)).toEqual({ providerOptions: { google: { thinkingConfig } } });
});
