import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { TestWorld } from "./testing/test-world.ts";

const folder = mkdtempSync(join(tmpdir(), "retake-models-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a provider that cannot be reached is named once, and so is one that is not configured", async () => {
  // Nothing listens at this port.
  const anthropic = { ANTHROPIC_API_KEY: "a key", ANTHROPIC_BASE_URL: "http://127.0.0.1:1/v1" };
  const world = new TestWorld({ environment: { RETAKE_HOME: folder, ...anthropic }, directory: folder });
  const { stdout } = await world.run("models");
  expect(stdout).toContain("\nAnthropic: there is no connection to it.\nOpenAI: not configured\n");
});
