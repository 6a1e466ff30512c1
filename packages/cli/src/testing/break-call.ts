/**
 * Loaded before a command: at one call of a function of `node:fs`, counted in the main thread, the process dies
 * or the call fails. `RETAKE_TEST_BREAK` says where: `renameSync 2 KILL`, `writeSync 1 ENOSPC`.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [name = "", nth = "1", error = "KILL"] = (process.env["RETAKE_TEST_BREAK"] ?? "").split(" ");
const functions = fs as unknown as Record<string, (...values: unknown[]) => unknown>;
const original = functions[name];
if (!original) throw new Error(`node:fs has no function ${name}`);
let calls = 0;
functions[name] = (...values) => {
  calls += 1;
  if (calls === Number(nth)) {
    if (error === "KILL") process.kill(process.pid, "SIGKILL");
    throw Object.assign(new Error(`${error}: ${name}`), { code: error });
  }
  return original(...values);
};
syncBuiltinESMExports();
