// `npm test`: the checks, then every test. Ends with a line that counts them.
// Arguments go to vitest (`npm test -- core`); with any, the checks are left out.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isBuilt } from "./build.mjs";
import { root, run, setup } from "./setup.mjs";

const node = setup();
const args = process.argv.slice(2);
let failed = args.length === 0 && run(node, ["scripts/check.mjs"]).status !== 0;
// The tests of the command line run what users run.
if (!isBuilt() && run(node, ["scripts/build.mjs"]).status !== 0) process.exit(1);
const folder = mkdtempSync(join(tmpdir(), "retake-tests-"));
const report = join(folder, "report.json");

try {
  const { status } = run(node, [
    join(root, "node_modules", "vitest", "vitest.mjs"),
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...args,
  ]);
  const counts = count(JSON.parse(readFileSync(report, "utf8")));
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  failed ||= status !== 0 || counts.passed === 0;
} catch (error) {
  console.error(`No test report was written: ${error.message}`);
  failed = true;
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(failed ? 1 : 0);

/** A test whose process ended before it did is pending in the report: it failed, as a file did that could not be loaded. */
function count({ testResults }) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const kinds = { passed: "passed", failed: "failed", pending: "failed" };
  for (const { status: ended, assertionResults } of testResults) {
    if (ended === "failed" && assertionResults.length === 0) counts.failed += 1;
    for (const { status } of assertionResults) counts[kinds[status] ?? "skipped"] += 1;
  }
  return counts;
}
