import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { changeConfig } from "./change-config.ts";
import { keyPath } from "./config-keys.ts";
import { configFile, loadConfig } from "./load-config.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retake-config-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (text: string) => writeFileSync(configFile(folder), text);
const read = () => readFileSync(configFile(folder), "utf8");
const set = (name: string, value: string | number | undefined) => changeConfig(folder, keyPath(name), value);

describe("config.toml", () => {
  test("without a file nothing is set; the first value creates one that only its owner can read", () => {
    expect(loadConfig(folder)).toEqual({
      models: { providers: {} },
      prices: {},
      agent: {},
      tui: {},
      context_windows: {},
      output_limits: {},
      thinking_budgets: {},
      mcp: {},
      tool_environment: [],
    });
    expect(set("providers.anthropic.api_key", "sk-1")).toEqual({ kind: "changed" });
    expect(read()).toBe('[providers.anthropic]\napi_key = "sk-1"\n');
    expect(statSync(configFile(folder)).mode & 0o777).toBe(0o600);
    expect(loadConfig(folder).models.providers).toEqual({ anthropic: { api_key: "sk-1" } });
  });

  test("a change leaves comments, order, blank lines and unknown keys as they are", () => {
    write(
      '# mine\nmodel = "scripted/default" # for now\nfuture = [1, 2]\n\n[providers.openai]\n# work\nbase_url = "http://a/v1"\n\n[other]\nx = 1\n',
    );
    set("model", "openai/gpt-x");
    set("providers.openai.api_key", "k#1");
    set("prices.openai/gpt-5.1.input", 1.25);
    expect(read()).toBe(
      '# mine\nmodel = "openai/gpt-x" # for now\nfuture = [1, 2]\n\n[providers.openai]\n# work\nbase_url = "http://a/v1"\napi_key = "k#1"\n\n[other]\nx = 1\n\n[prices."openai/gpt-5.1"]\ninput = 1.25\n',
    );
    expect(loadConfig(folder).prices).toEqual({ "openai/gpt-5.1": { input: 1.25 } });
    expect(set("providers.openai.api_key", undefined)).toEqual({ kind: "changed" });
    expect(set("providers.openai.api_key", undefined)).toEqual({ kind: "unchanged" });
    expect(read()).not.toContain("k#1");
  });

  test("refuses a change that would need rewriting the file, and leaves it to its owner", () => {
    const text = 'providers = { openai = { api_key = "a" } }\n';
    write(text);
    expect(set("providers.openai.api_key", "b")).toMatchObject({ kind: "refused", code: "by-hand" });
    expect(read()).toBe(text);
    expect(loadConfig(folder).models.providers).toEqual({ openai: { api_key: "a" } });
  });

  test.each([
    ['model = "x/y\n', /line 1/],
    ["a = 1\na = 2\n", /line 2/],
    ['model = "gpt"\n', /model must be provider\/model/],
    ['[providers.openai]\nbase_url = "nowhere"\n', /providers\.openai\.base_url must be a web address/],
    ["[providers.openai]\napi_key = 7\n", /providers\.openai\.api_key must be a text/],
    ['[prices."a/b"]\ninput = "much"\n', /prices\.a\/b\.input must be a number/],
  ])("a file that is not understood is named with the place, and not overwritten: %j", (text, message) => {
    write(text);
    expect(() => loadConfig(folder)).toThrow(message);
    expect(() => loadConfig(folder)).toThrow(/It was left as it is/);
    if (/line/.test(message.source)) expect(() => set("model", "openai/x")).toThrow(message);
    expect(read()).toBe(text);
  });
});
