// `npm test`: the checks, then every test. Ends with a line that counts them.
// Arguments go to vitest (`npm test -- core`); with any, the checks are left out.
//
// Node itself has crashed (SIGSEGV) in the middle of a test file, rarely and never where it could be looked at. Where
// that happens the file is run a second time, in a way that shows the stack of the crash if it happens again;
// nothing else is run twice.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, run, setup } from "./setup.mjs";

const node = setup();
const args = process.argv.slice(2);
/** What a process that crashes leaves behind can be looked at; not always, because tests crash processes on purpose. */
const withCores = process.platform === "linux" ? ["sh", "-c", 'ulimit -c unlimited 2>/dev/null; exec "$0" "$@"'] : [];
const folder = mkdtempSync(join(tmpdir(), "retake-tests-"));
let failed = args.length === 0 && run(node, ["scripts/check.mjs"]).status !== 0;

try {
  const first = runTests(args);
  const second = first.crashed.length > 0 ? runTests(first.crashed, withCores) : undefined;
  failed ||= (second ?? first).failed || first.others > 0 || first.counts.failed > 0;
  const sum = (name) => first.counts[name] + (second?.counts[name] ?? 0);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
  failed ||= sum("passed") === 0;
} catch (error) {
  console.error(`No test report was written: ${error.message}`);
  failed = true;
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(failed ? 1 : 0);

/** Runs vitest and counts, but for the files whose process crashed. */
function runTests(files, starter = []) {
  const report = join(folder, "report.json");
  const crashes = join(folder, "crashes.json");
  const command = [
    node,
    join(root, "node_modules", "vitest", "vitest.mjs"),
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    `--reporter=${join(root, "scripts", "crashed-files.mjs")}`,
    ...files,
  ];
  const [program, ...rest] = [...starter, ...command];
  const { status } = run(program, rest, { env: { RETAKE_CRASHED_FILES: crashes } });
  const { files: crashed, others } = JSON.parse(readFileSync(crashes, "utf8"));
  for (const file of crashed) console.log(`Node crashed while it ran ${file}`);
  if (crashed.length > 0) showStacks();
  return { failed: status !== 0, crashed, others, counts: count(JSON.parse(readFileSync(report, "utf8")), crashed) };
}

function count({ testResults }, crashed) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { name, assertionResults } of testResults) {
    if (crashed.includes(name)) continue;
    for (const { status } of assertionResults) counts[status in counts ? status : "skipped"] += 1;
  }
  return counts;
}

function showStacks() {
  for (const core of readdirSync(root).filter((name) => /^core(\.\d+)?$/.test(name))) {
    spawnSync("gdb", ["-batch", "-ex", "info threads", "-ex", "bt 25", node, core], {
      cwd: root,
      stdio: ["ignore", "inherit", "ignore"],
    });
    rmSync(join(root, core));
  }
}
