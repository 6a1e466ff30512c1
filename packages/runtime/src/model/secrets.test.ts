import { afterEach, expect, test, vi } from "vitest";
import { ModelSession } from "./testing/model-session.ts";
import { KEY } from "./testing/provider-server.ts";

let session: ModelSession;
afterEach(async () => {
  vi.unstubAllEnvs();
  await session.close();
});

test("[S8] no key reaches a tool's environment, its result, the conversation or the communication log", async () => {
  session = await ModelSession.start();
  for (const [name, value] of Object.entries(session.server.environment)) vi.stubEnv(name, value);
  const steps = [{ type: "call", id: "c", name: "bash", input: { command: "env" } } as const];
  session.server.answerWith(() => ({ blocks: [steps.shift() ?? { type: "text", text: `You said ${KEY}.` }] }));
  await session.turn("Show me.", "compatible/qwen3");
  const [, , result] = session.entries();
  expect(result?.content).toContain("PATH=");
  expect(result?.content).not.toContain(KEY);
  expect(session.comms()).not.toContain(KEY);
  expect(session.comms()).toContain("You said [redacted].");
});
