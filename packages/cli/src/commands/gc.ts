import { askYes } from "../ask-yes.ts";
import { type Call, type Command, CommandError, EXIT, wrongUsage } from "../command.ts";
import { plural } from "../output.ts";
import { size } from "../size.ts";

export const command: Command = {
  name: "gc",
  group: "setup",
  summary: "Free the space of files that no history needs; with --keep-days or --keep-turns, of old history too",
  usage: "",
  apart: true,
  most: 0,
  options: {
    "keep-days": {
      type: "string",
      value: "N",
      about: "give up the files of turns that are older; what was said stays",
    },
    "keep-turns": { type: "string", value: "N", about: "give up the files of all but the last N turns of each thread" },
    yes: { type: "boolean", about: "give up old files without a question" },
    "dry-run": { type: "boolean", about: "say what would be freed, and change nothing" },
  },
  examples: [
    ["retake gc", "nothing that can be undone is lost"],
    ["retake gc --keep-days 30 --dry-run", "see what giving up old files would free"],
  ],
  async run(call) {
    const { workspace, output } = call;
    const dryRun = call.options["dry-run"] === true;
    const [days, turns] = [numberOf(call, "keep-days", 0), numberOf(call, "keep-turns", 1)];
    const old = days !== undefined || turns !== undefined;
    if (old && !dryRun && call.options["yes"] !== true) await askYes(call, GIVE_UP);
    const done = await workspace.collectGarbage({
      dryRun,
      ...(days === undefined ? {} : { days }),
      ...(turns === undefined ? {} : { turns }),
    });
    if (done.kind === "busy") throw new CommandError(EXIT.failed, "busy", done.message);
    const { captures, objects, contents, bytes } = done;
    output.say({ dry_run: dryRun, captures, objects, contents, bytes }, () => {
      if (captures + objects + contents === 0) return ["Nothing to free: all that is stored is needed."];
      const files = `${plural(captures, "capture")} and ${plural(objects, "file version")}`;
      const attached = contents === 0 ? "" : `, and ${plural(contents, "attached content")} that no thread names`;
      const what = `${files}${attached}, ${size(bytes)}`;
      const lost = old ? ["  Older turns cannot be undone with their files after that; what was said stays."] : [];
      return dryRun
        ? [`· Would free ${what}; nothing was changed`, ...lost]
        : [`${output.style("green", "✓")} Freed ${what}`];
    });
  },
};

/** No undo brings these files back. */
const GIVE_UP = {
  about: "The files of older turns are given up for good: those turns cannot be undone with their files any more.",
  question: "Give them up?",
  next: "retake gc --dry-run with the same options says how much that is; --yes does it.",
};

function numberOf({ options }: Call, name: string, least: number): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  if (typeof text !== "string" || !/^\d{1,6}$/.test(text) || Number(text) < least)
    throw wrongUsage(`--${name} takes a number from ${least}.`);
  return Number(text);
}
