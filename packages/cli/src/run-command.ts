import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { closest } from "./closest.ts";
import { type Call, type Command, EXIT, wrongUsage } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { Output } from "./output.ts";
import { standardOutput } from "./standard-output.ts";

const GLOBAL = {
  json: { type: "boolean" },
  thread: { type: "string" },
  workspace: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

/** Carries out one command line and answers its exit code. */
export async function runCommand(args: string[]): Promise<number> {
  const json = args.includes("--json");
  const close: (() => Promise<void>)[] = [];
  try {
    await dispatch(args, close);
    return EXIT.done;
  } catch (error) {
    // Loaded only here: most commands do not fail.
    return (await import("./report-failure.ts")).reportFailure(error, json);
  } finally {
    for (const each of close) await each();
  }
}

async function dispatch(args: string[], close: (() => Promise<void>)[]): Promise<void> {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") return help(rest[0]);
  if (name === "--version") return void standardOutput().write(`retake ${manifest.version}\n`);
  const command = await find(name);
  const { values, positionals } = parse(command, rest);
  if (values["help"]) return help(name);
  const { openCall } = await import("./open-call.ts");
  const output = new Output(values["json"] === true);
  const call = openCall({ options: values, args: positionals, output, commands: COMMANDS }, manifest.version, close);
  // So that a command that only reads finds the files and the conversation together, too.
  if (!command.apart) await call.workspace.finishKilled();
  await command.run(call);
}

async function find(name: string): Promise<Command> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load) return (await load()).command;
  const meant = closest(name, Object.keys(COMMANDS)).map((each) => `retake ${each}`);
  throw wrongUsage(`There is no command '${name}'. ${didYouMean(meant)}retake --help lists them.`);
}

function parse(command: Command, args: string[]): { values: Call["options"]; positionals: string[] } {
  const usage = `Usage: retake ${command.name} ${command.usage}`.trimEnd();
  const options = { ...GLOBAL, ...command.options };
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true });
    const extra = parsed.positionals[command.most ?? parsed.positionals.length];
    if (extra !== undefined) throw new Error(`'${extra}' is one word too many.`);
    return parsed;
  } catch (error) {
    const [, unknown] = /^Unknown option '(-[^']*)'/.exec((error as Error).message) ?? [];
    if (unknown === undefined) throw wrongUsage(`${(error as Error).message}\n${usage}`);
    const meant = closest(unknown.replace(/^-+/, ""), Object.keys(options)).map((each) => `--${each}`);
    throw wrongUsage(
      `There is no option ${unknown} here. ${didYouMean(meant)}A word that begins with - goes behind --.\n${usage}`,
    );
  }
}

function didYouMean(names: readonly string[]): string {
  return names.length === 0 ? "" : `Did you mean ${names.join(" or ")}? `;
}

async function help(name: string | undefined): Promise<void> {
  const { commandHelp, helpText } = await import("./help.ts");
  const command = name === undefined || name.startsWith("-") ? undefined : await find(name);
  standardOutput().write(command ? commandHelp(command) : await helpText());
}
