import { enableCompileCache } from "node:module";

// Before anything else is loaded: it halves the time until a command begins.
enableCompileCache();
// Who reads may have seen enough: `retake diff | head`. What the command does, it does to its end.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
void main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  const { runCommand } = await import("./run-command.ts");
  if (args.length === 0 && process.stdin.isTTY) {
    const { interact } = await import("./interact.ts");
    await interact(runCommand);
  } else process.exitCode = await runCommand(args);
}
