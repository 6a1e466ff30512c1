/**
 * The program that the crash tests kill: `node crash-scenario.ts restore|recover <sandbox>`, in a sandbox of
 * `CrashSandbox`. Prints its result, if it ends.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Change } from "../../model/model.ts";
import { recoverRestores } from "../recover-restores.ts";
import { errorCode } from "../restore-error.ts";
import { restoreFiles } from "../restore-files.ts";
import { Sandbox, whenFlushed } from "./sandbox.ts";

const [, , task, directory] = process.argv;
if (!directory) throw new Error("which sandbox?");
try {
  const sandbox = new Sandbox(directory);
  const changes: Change[] = JSON.parse(readFileSync(join(directory, "changes.json"), "utf8"));
  // A marker in the trace, which separates the scenario from the start of Node.
  existsSync("/retake-scenario-begins");
  if (task === "recover") await recoverRestores(sandbox.context);
  else
    await whenFlushed(
      await restoreFiles(sandbox.context, { transitions: [{ changes }] }, () => sandbox.recordCommit()),
    );
  console.log("ended well");
} catch (error) {
  console.log(`ended with ${errorCode(error) ?? error}`);
}
