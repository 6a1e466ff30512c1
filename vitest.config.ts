import { defineConfig } from "vitest/config";
import { TIMEOUT_MS } from "./testing/budget.ts";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "e2e/**/*.test.ts"],
    // The default, one less than there are cores, leaves half of a machine with two idle.
    maxWorkers: 2,
    // A key or a frame may be lost to a busy machine in the tests of screens. A run by hand shows every such failure, so that it
    // is found; an unattended one fails when a test fails twice.
    retry: process.env["CI"] ? 1 : 0,
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    expect: { poll: { timeout: TIMEOUT_MS / 2 } },
    setupFiles: ["testing/built-workers.ts"],
  },
});
