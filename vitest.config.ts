import { defineConfig } from "vitest/config";
import { TIMEOUT_MS } from "./testing/budget.ts";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "e2e/**/*.test.ts"],
    // The default, one less than there are cores, leaves half of a machine with two idle.
    maxWorkers: 2,
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    expect: { poll: { timeout: TIMEOUT_MS / 2 } },
    setupFiles: ["testing/built-workers.ts"],
  },
});
