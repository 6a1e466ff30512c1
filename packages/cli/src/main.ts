import { enableCompileCache } from "node:module";
import { runCommand } from "./run-command.ts";

// Before any command is loaded: it halves the time until one begins.
enableCompileCache();
// Whoever reads the output may have had enough of it; what was asked for is done all the same.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
void main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  if (args.length === 0 && process.stdin.isTTY) {
    const { interact } = await import("./interact.ts");
    await interact(runCommand);
  } else process.exitCode = await runCommand(args);
}
