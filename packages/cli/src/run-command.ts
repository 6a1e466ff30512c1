import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { closest } from "./closest.ts";
import { type Call, type Command, EXIT, type Options, wrongUsage } from "./command.ts";
import { GLOBAL_OPTIONS, usageOf } from "./command-usage.ts";
import { COMMANDS } from "./commands.ts";
import type { HintForm } from "./hint-form.ts";
import { Output } from "./output.ts";
import type { World } from "./world.ts";

/** Carries out one command line and answers its exit code. Any number can run at the same time. */
export async function runCommand(args: string[], world: World, form: HintForm = "shell"): Promise<number> {
  const close: (() => Promise<void>)[] = [];
  try {
    await dispatch(args, world, form, close);
    return world.exitCode ?? EXIT.done;
  } catch (error) {
    // Loaded only here: most commands do not fail.
    const { reportFailure } = await import("./report-failure.ts");
    const code = reportFailure(error, world, args.includes("--json"), form);
    return world.exitCode ?? code;
  } finally {
    for (const each of close) await each();
  }
}

async function dispatch(args: string[], world: World, form: HintForm, close: (() => Promise<void>)[]): Promise<void> {
  // Text piped into `retake` alone is a prompt.
  const [name = world.terminal ? "help" : "run", ...rest] = args;
  if (name === "--help" || name === "-h" || name === "help") return help(world, form, rest[0]);
  if (name === "--version") return void world.output.write(`retake ${manifest.version}\n`);
  const command = await find(name);
  const { values, positionals } = parse(command, rest);
  if (values["help"]) return help(world, form, name);
  const { openCall } = await import("./open-call.ts");
  const output = new Output(values["json"] === true, world, form);
  const call = openCall(
    { options: values, args: positionals, output, world, commands: COMMANDS },
    manifest.version,
    close,
  );
  // So that a command that only reads finds the files and the conversation together, too.
  if (!command.apart) await call.workspace.finishKilled();
  await command.run(call);
}

async function find(name: string): Promise<Command> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load) return (await load()).command;
  if (name.startsWith("-"))
    throw wrongUsage(`The command comes before its options: retake <command> ${name}. retake --help lists them.`);
  const meant = closest(name, Object.keys(COMMANDS)).map((each) => `retake ${each}`);
  throw wrongUsage(`There is no command '${name}'. ${didYouMean(meant)}retake --help lists them.`);
}

function parse(command: Command, args: string[]): { values: Call["options"]; positionals: string[] } {
  const usage = `Usage: ${usageOf(command)}`;
  const options: Options = { ...GLOBAL_OPTIONS, ...command.options };
  try {
    const parsed = parseArgs({ args, options, allowPositionals: true });
    const extra = parsed.positionals[command.most ?? parsed.positionals.length];
    if (extra !== undefined) throw new Error(`'${extra}' is one word too many.`);
    for (const [name, { choices }] of Object.entries(options)) {
      const value = parsed.values[name];
      if (choices && value !== undefined && !choices.includes(String(value)))
        throw new Error(`--${name} takes ${choices.join(", ")}, not '${String(value)}'.`);
    }
    return parsed;
  } catch (error) {
    const [, unknown] = /^Unknown option '(-[^']*)'/.exec((error as Error).message) ?? [];
    if (unknown === undefined) throw wrongUsage(`${(error as Error).message}\n${usage}`);
    const meant = closest(unknown.replace(/^-+/, ""), Object.keys(options)).map((each) => `--${each}`);
    throw wrongUsage(
      `There is no option ${unknown} here. ${didYouMean(meant)}A word that begins with - goes after --.\n${usage}`,
    );
  }
}

function didYouMean(names: readonly string[]): string {
  return names.length === 0 ? "" : `Did you mean ${names.join(" or ")}? `;
}

async function help(world: World, form: HintForm, name: string | undefined): Promise<void> {
  const { commandHelp, helpLines } = await import("./help.ts");
  const command = name === undefined || name.startsWith("-") ? undefined : await find(name);
  const output = new Output(false, world, form);
  for (const line of command ? commandHelp(output, command) : await helpLines(output)) output.line(output.inForm(line));
}
