import { existsSync, statSync } from "node:fs";
import { directories, discoverRoot, Runtime, WAITS, type Workspace } from "@retake/runtime";
import { type Call, wrongUsage } from "./command.ts";
import { find } from "./find.ts";
import { pathIn, type World } from "./world.ts";

/** A call whose parts are opened when a command first asks for them. */
export function openCall(
  given: Pick<Call, "options" | "args" | "output" | "world" | "commands">,
  version: string,
  close: (() => Promise<void>)[],
): Call {
  const { options, world } = given;
  const { environment } = world;
  let runtime: Runtime | undefined;
  let workspace: Workspace | undefined;
  let thread: string | undefined;
  return {
    ...given,
    get runtime() {
      if (!runtime) {
        const opened = new Runtime({
          directories: directories(environment),
          version,
          environment,
          now: world.now,
          onWait: () => world.errors.write(`${WAITS}\n`),
        });
        close.push(() => opened.close());
        runtime = opened;
      }
      return runtime;
    },
    get workspace() {
      workspace ??= openFor(this);
      return workspace;
    },
    get thread() {
      // Found once: the command itself may change which thread is the most recent.
      thread ??= find.thread(this.workspace, options["thread"]).id;
      return thread;
    },
  };
}

/** A thread is worked on in its own workspace: the files of another are not its files. */
function openFor({ options, runtime, world }: Call): Workspace {
  const { workspace, thread } = options;
  const here = runtime.workspace(directoryOf(runtime, world, workspace));
  if (typeof thread !== "string") return here;
  const { title, workspace_root: root } = find.thread(here, thread);
  // A thread from another machine may have no workspace here; it can be read, and nothing of it is on disk.
  if (root === here.root || !existsSync(root)) return here;
  if (workspace === undefined) return runtime.workspace(root);
  throw wrongUsage(`${title} is a thread of ${root}, not of ${here.root}. Nothing was changed.`);
}

/** The directory that `--workspace` names, else the workspace that the current directory is in. */
export function directoryOf({ store }: Runtime, world: Pick<World, "directory">, named: unknown): string {
  if (named === undefined) return discoverRoot(store, world.directory);
  const path = pathIn(world, String(named));
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false)
    throw wrongUsage(`--workspace takes a directory, and ${path} is a file. Nothing was changed.`);
  return path;
}
