import { createClient } from "@retake/client";
import { expect, test } from "vitest";
import { ClientTurns } from "./client-turns.ts";
import { TestWorld } from "./testing/test-world.ts";

test.each([
  [undefined, "too many open files"],
  [12, "The server (process 12) is gone. It did not say whether the thread began"],
])("[U5] a call that got no answer names the server's process, or its own error (%s)", async (pid, message) => {
  const client = createClient({ url: "http://x", fetch: () => Promise.reject(new Error("too many open files")) });
  const world = new TestWorld({ directory: "/" });
  const turns = new ClientTurns({ world }, { client, pid, isThere: async () => false });
  await expect(turns.newThread("/", "hello", { private: false })).rejects.toThrow(message);
});
