import { enableCompileCache } from "node:module";
import { ProcessWorld } from "./process-world.ts";
import { runCommand } from "./run-command.ts";

// Before any command is loaded: it halves the time until one begins.
enableCompileCache();
void main(process.argv.slice(2), new ProcessWorld());

async function main(args: string[], world: ProcessWorld): Promise<void> {
  const isInline = args.length === 1 && args[0] === "--inline";
  const terminal = args.length === 0 || isInline ? world.terminal : undefined;
  if (!terminal) return world.end(await runCommand(isInline ? [] : args, world));
  const screen = isInline || world.environment["RETAKE_SCREEN_READER"] ? undefined : world.screen;
  if (screen) {
    const { openScreen } = await import("./open-screen.ts");
    await openScreen(world, screen);
    world.end(world.exitCode ?? 0);
  } else {
    const { interact } = await import("./interact.ts");
    await interact(world, terminal);
  }
}
