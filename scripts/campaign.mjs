// `npm run campaign <name …>`: long tests that a release needs, each with one command; without a name, all of them.
// Prints the commit, the seed and the time that each took, around the figures that the tests print themselves.
// RETAKE_SEED and the other variables of testing/budget.ts change what is done, for instance to repeat a failure.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { root, run, setup } from "./setup.mjs";

const WALKS = { RETAKE_WALKS: "20" };

/** The parts of a campaign, one after the other: which test files, and how much they do where nobody says otherwise. */
const CAMPAIGNS = {
  // Commands, imports and conversions, killed at every system call that changes something; then kills at any moment.
  kills: [{ tests: ["e2e/crash-points"] }, { tests: ["restore/crash-points", "e2e/random-kills"] }],
  // Requests to a server, of which each system call on a file fails once.
  failures: [{ tests: ["e2e/failed-requests"] }],
  // Devices, a sync server and a network, in random orders of events with every fault.
  // Then the built server, killed while devices push to it.
  sync: [{ tests: ["core/src/sync/sync-model"] }, { tests: ["e2e/sync-server-kills", "e2e/sync-faults"] }],
  // The history in core, command line, bundles, undo through takes and beside other threads, and screens, against their models.
  walks: [
    { tests: ["core/src/history/random-walk"] },
    { tests: ["e2e/random-walk"], amounts: WALKS },
    { tests: ["exchange/exchange-walk", "undo/several-takes", "undo/several-threads"], amounts: WALKS },
    { tests: ["e2e/session-view"], amounts: { ...WALKS, RETAKE_STEPS: "250" } },
  ],
};

const node = setup();
const names = process.argv.slice(2);
const unknown = names.find((name) => !Object.hasOwn(CAMPAIGNS, name));
if (unknown !== undefined) {
  console.error(`There is no campaign '${unknown}'. There are: ${Object.keys(CAMPAIGNS).join(", ")}.`);
  process.exit(2);
}
const seed = process.env.RETAKE_SEED ?? String(Math.floor(Math.random() * 1e9));
const summary = [];
for (const name of names.length > 0 ? names : Object.keys(CAMPAIGNS))
  for (const { tests, amounts = {} } of CAMPAIGNS[name]) summary.push(carryOut(name, tests, amounts));
console.log(`\n${summary.map(({ text }) => text).join("\n")}`);
process.exit(summary.some(({ failed }) => failed) ? 1 : 0);

function carryOut(name, tests, amounts) {
  const what = `${name} (${tests.join(", ")}) on ${commit()}, RETAKE_SEED=${seed}`;
  console.log(`\n${what}, from ${new Date().toISOString()}`);
  const begun = performance.now();
  const { status } = run(node, ["scripts/test.mjs", ...tests], {
    // In memory where that is possible: what is flushed does not matter to a process that is killed.
    env: {
      ...(existsSync("/dev/shm") ? { TMPDIR: process.env.TMPDIR ?? "/dev/shm" } : {}),
      ...given(amounts),
      RETAKE_LONG: "1",
      RETAKE_SEED: seed,
    },
  });
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
  return { failed: status !== 0, text: `${status === 0 ? "passed" : "FAILED"}  ${what}, ${minutes} minutes` };
}

/** The amounts of a campaign, but for those that the environment says. */
function given(amounts) {
  return Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, process.env[name] ?? value]));
}

function commit() {
  const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
  return `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain") ? " with changes" : ""}`;
}
