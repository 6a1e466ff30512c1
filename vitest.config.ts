import { tmpdir } from "node:os";
import { join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { TIMEOUT_MS } from "./testing/budget.ts";
import { LongestFirst } from "./testing/longest-first.ts";

const ALL = ["packages/*/src/**/*.test.ts", "e2e/**/*.test.ts"];
const PURE = ["packages/{core,client}/src/**/*.test.ts"];

export default defineConfig({
  test: {
    // Tests of core and client only compute, so their files share a process: that saves a third of their time.
    projects: [
      { extends: true, test: { name: "pure", include: PURE, isolate: false } },
      { extends: true, test: { name: "whole", include: ALL, exclude: [...configDefaults.exclude, ...PURE] } },
    ],
    // More than the two cores of the machines that run this most: a fifth of the time a test waits for the disk, a timer, or
    // another process.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    expect: { poll: { timeout: TIMEOUT_MS / 3 } },
    // Programs in TypeScript that tests start are compiled once, not at every start.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache") },
    setupFiles: ["testing/built-workers.ts"],
  },
});
