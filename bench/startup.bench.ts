/** How long a short command takes, beside a Node that does nothing. */
import { execFileSync } from "node:child_process";
import { BuiltRetake } from "./built-retake.ts";
import { report, sideBySide } from "./measure.ts";

const rounds = 41;
const built = new BuiltRetake();
const nothing = { work: () => execFileSync(process.execPath, ["-e", "0"]) };
try {
  for (const name of ["one", "two", "three"]) built.run("run", "--yes", `write ${name}.txt: ${name}`);
  const version = { work: () => built.run("--version") };
  const dryRun = { work: () => built.run("undo", "--dry-run") };
  report("startup", [
    { what: "retake --version / node -e 0", ...(await sideBySide(rounds, version, nothing)), atMost: 1.5 },
    { what: "retake undo --dry-run / node -e 0", ...(await sideBySide(rounds, dryRun, nothing)), atMost: 2.5 },
  ]);
} finally {
  built.remove();
}
