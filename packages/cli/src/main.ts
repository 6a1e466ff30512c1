import { enableCompileCache } from "node:module";

// Before anything else is loaded: it halves the time until a command begins.
enableCompileCache();
const { runCommand } = await import("./run-command.ts");
const args = process.argv.slice(2);
if (args.length === 0 && process.stdin.isTTY) {
  const { interact } = await import("./interact.ts");
  await interact(runCommand);
} else process.exitCode = await runCommand(args);
