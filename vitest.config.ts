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
    // The default, one less than there are cores, leaves half of a machine with two idle.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // A key or a frame may be lost to a busy machine in the tests of screens. A run by hand shows every such failure, so that it
    // is found; an unattended one fails when a test fails twice.
    retry: process.env["CI"] ? 1 : 0,
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    expect: { poll: { timeout: TIMEOUT_MS / 2 } },
    // Programs in TypeScript that tests start are compiled once, not at every start.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache") },
    setupFiles: ["testing/built-workers.ts"],
  },
});
