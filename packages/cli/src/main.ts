import { enableCompileCache } from "node:module";
import { runCommand } from "./run-command.ts";
import { endProcess } from "./standard-output.ts";

// Before any command is loaded: it halves the time until one begins.
enableCompileCache();
void main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  if (args.length === 0 && process.stdin.isTTY) {
    const { interact } = await import("./interact.ts");
    await interact(runCommand);
  } else endProcess(await runCommand(args));
}
