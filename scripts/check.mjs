// `npm run check`: everything that can be said about the code without running it.
import { run, setup } from "./setup.mjs";

const node = setup();
const checks = [
  ["generated tables", node, ["scripts/generate.mjs", "--check"]],
  ["format and lint", "biome", ["check", "--error-on-warnings", "."]],
  ["types", "tsc", ["-p", "tsconfig.json"]],
  ["types of core without Node or a browser", "tsc", ["-p", "packages/core/tsconfig.json"]],
  ["imports", node, ["scripts/check-imports.mjs"]],
  ["style", node, ["scripts/check-style.mjs"]],
  ["parity of actions, routes and commands", "vitest", ["run", "--reporter=dot", "packages/cli/src/parity.test.ts"]],
  ["unused code", "knip", ["--no-progress"]],
];

let failed = 0;
for (const [name, command, args] of checks) {
  const started = performance.now();
  const { status } = run(command, args);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
  if (status !== 0) failed += 1;
}
if (failed > 0) process.exit(1);
