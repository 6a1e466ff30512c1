import { type Call, type Command, CommandError, EXIT, wrongUsage } from "../command.ts";
import { bytesText, plural } from "../output.ts";

export const command: Command = {
  name: "gc",
  summary: "Free the space of files that no history needs; with --keep-days or --keep-turns, of old history too",
  usage: "[--keep-days N] [--keep-turns N] [--dry-run]",
  apart: true,
  most: 0,
  options: { "keep-days": { type: "string" }, "keep-turns": { type: "string" }, "dry-run": { type: "boolean" } },
  async run(call) {
    const { workspace, output } = call;
    const dryRun = call.options["dry-run"] === true;
    const [days, turns] = [numberOf(call, "keep-days", 0), numberOf(call, "keep-turns", 1)];
    const done = await workspace.collectGarbage({
      dryRun,
      ...(days === undefined ? {} : { days }),
      ...(turns === undefined ? {} : { turns }),
    });
    if (done.kind === "busy") throw new CommandError(EXIT.failed, "busy", done.message);
    const { captures, objects, bytes } = done;
    const old = days !== undefined || turns !== undefined;
    output.say({ dry_run: dryRun, captures, objects, bytes }, () => {
      if (captures === 0 && objects === 0) return ["Nothing to free: all that is stored is needed."];
      const what = `${plural(captures, "capture")} and ${plural(objects, "file version")}, ${bytesText(bytes)}`;
      const lost = old ? ["  Older turns cannot be undone with their files after that; what was said stays."] : [];
      return dryRun
        ? [`· Would free ${what}; nothing was changed`, ...lost]
        : [`${output.style("green", "✓")} Freed ${what}`];
    });
  },
};

function numberOf({ options }: Call, name: string, least: number): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  if (typeof text !== "string" || !/^\d{1,6}$/.test(text) || Number(text) < least)
    throw wrongUsage(`--${name} takes a number from ${least}.`);
  return Number(text);
}
