/**
 * Starts worker threads from the built package instead of from TypeScript, in every test that opens a workspace.
 *
 * Node strips types with WebAssembly. In a worker thread this takes 300 ms, five times as long as all else. And where
 * WebAssembly runs in many threads of one process, Node 24 crashes now and then: V8's collection of WebAssembly code frees what
 * another thread still runs.
 */
import { existsSync, readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import threads, { Worker, type WorkerOptions } from "node:worker_threads";

const dist = fileURLToPath(new URL("../packages/cli/dist/", import.meta.url));

threads.Worker = class extends Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    super(builtFile(file), options);
  }
};
syncBuiltinESMExports();

function builtFile(file: string | URL): string | URL {
  const path = String(file);
  if (!path.endsWith(".ts")) return file;
  const [, build = ""] = /"\.\/(\w+)\/main\.cjs"/.exec(readFileSync(join(dist, "retake.cjs"), "utf8")) ?? [];
  const built = join(dist, build, `${basename(path, ".ts")}.cjs`);
  if (!existsSync(built))
    throw new Error(`${path} is no thread of the built package; threads run no TypeScript in tests.`);
  return built;
}
