import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { tour } from "./tour.ts";

const HELP = `Usage: retake [--version | --help]

Without arguments: a tour of what can be taken back, on a thread in memory that is gone afterwards.`;

process.exitCode = main(process.argv.slice(2));

function main(args: string[]): number {
  try {
    const { values } = parseArgs({ args, options: { version: { type: "boolean" }, help: { type: "boolean" } } });
    if (values.version) console.log(`retake ${manifest.version}`);
    else if (values.help) console.log(HELP);
    else for (const line of tour()) console.log(line);
    return 0;
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${HELP}`);
    return 2;
  }
}
