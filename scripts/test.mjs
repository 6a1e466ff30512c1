// `npm test`: the checks, then every test. Ends with a line that counts them.
// Arguments go to vitest (`npm test -- core`); with any, the checks are left out.
import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, run, setup } from "./setup.mjs";

const node = setup();
const args = process.argv.slice(2);
let status = 0;
if (args.length === 0) status = run(node, ["scripts/check.mjs"]).status ?? 1;

const report = join(tmpdir(), `retake-tests-${process.pid}.json`);
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const tests = run(node, [
  vitest,
  "run",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${report}`,
  ...args,
]);
if (tests.status !== 0) status = tests.status ?? 1;

try {
  const counts = JSON.parse(readFileSync(report, "utf8"));
  rmSync(report);
  const skipped = counts.numPendingTests + counts.numTodoTests;
  console.log(`${counts.numPassedTests} passed, ${counts.numFailedTests} failed, ${skipped} skipped`);
  if (counts.numPassedTests === 0) status = 1;
} catch (error) {
  console.error(`No test report was written: ${error.message}`);
  status = 1;
}
process.exit(status);
