import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "e2e/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Node strips types with WebAssembly, in every worker thread that starts from a .ts file. In Node 24 V8's collection of
    // WebAssembly code can free what another thread still runs: SIGSEGV, or SIGTRAP with `jit_page.has_value()`.
    execArgv: ["--no-wasm-code-gc"],
  },
});
