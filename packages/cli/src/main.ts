import { ProcessWorld } from "./process-world.ts";
import { runCommand } from "./run-command.ts";
import { useProxy } from "./use-proxy.ts";
import type { Terminal } from "./world.ts";

void main(process.argv.slice(2), new ProcessWorld());

async function main(args: string[], world: ProcessWorld): Promise<void> {
  await useProxy(world);
  const isInline = args.length === 1 && args[0] === "--inline";
  const terminal = args.length === 0 || isInline ? world.terminal : undefined;
  if (!terminal) return world.end(await runCommand(isInline ? [] : args, world));
  try {
    await talk(world, terminal, isInline);
  } catch (error) {
    const { reportFailure } = await import("./report-failure.ts");
    world.end(reportFailure(error, world, false, "shell"));
  }
}

/** The screen, or the prompt in plain lines where there is none or it is not wanted. */
async function talk(world: ProcessWorld, terminal: Terminal, isInline: boolean): Promise<void> {
  const screen = isInline ? undefined : world.screen;
  const { screenSettings } = await import("./screen-settings.ts");
  const settings = screen && (await screenSettings(world));
  if (screen && settings && !settings.isInline) {
    const { openScreen } = await import("./open-screen.ts");
    await openScreen(world, screen, settings);
    return world.end(world.exitCode ?? 0);
  }
  const { interact } = await import("./interact.ts");
  await interact(world, terminal);
}
