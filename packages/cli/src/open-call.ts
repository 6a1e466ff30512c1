import { directories, openRetake, type Retake } from "@retake/runtime";
import { type Call, CommandError, EXIT, notFound } from "./command.ts";
import type { Output } from "./output.ts";

/** A call whose parts are opened when a command first asks for them. */
export function openCall(
  options: Call["options"],
  args: readonly string[],
  output: Output,
  version: string,
  close: (() => Promise<void>)[],
): Call {
  let retake: Retake | undefined;
  return {
    args,
    options,
    output,
    get retake() {
      if (!retake) {
        const opened = openRetake({
          directories: directories(),
          root: String(options["workspace"] ?? process.cwd()),
          version,
        });
        close.push(() => opened.close());
        retake = opened;
      }
      return retake;
    },
    get thread() {
      return findThread(this.retake, options["thread"]);
    },
  };
}

/** By id, by the beginning of an id, by title; without a name, the workspace's most recent. */
function findThread(retake: Retake, name: Call["options"][string]): string {
  const threads = retake.threads();
  if (typeof name !== "string") {
    const [latest] = threads;
    if (!latest) throw notFound("There is no discussion in this workspace yet. Begin one: retake run <prompt>");
    return latest.id;
  }
  const all = retake.store.list();
  const exact = all.find(({ id }) => id === name) ?? threads.find(({ title }) => title === name);
  if (exact) return exact.id;
  const begun = all.filter(({ id }) => id.startsWith(name) || id.startsWith(`T-${name}`));
  const [only, ...others] = begun;
  if (only && others.length === 0) return only.id;
  if (only)
    throw new CommandError(
      EXIT.usage,
      "ambiguous",
      `'${name}' begins the ids of ${begun.length} threads. Give more of it.`,
    );
  throw notFound(`There is no thread '${name}'. retake threads lists them.`);
}
