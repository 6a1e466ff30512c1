import { directories, discoverRoot, openRuntime, type Runtime, type Workspace } from "@retake/runtime";
import { type Call, wrongUsage } from "./command.ts";
import { find } from "./find.ts";

/** A call whose parts are opened when a command first asks for them. */
export function openCall(
  given: Pick<Call, "options" | "args" | "output" | "commands">,
  version: string,
  close: (() => Promise<void>)[],
): Call {
  const { options } = given;
  let runtime: Runtime | undefined;
  let workspace: Workspace | undefined;
  let thread: string | undefined;
  return {
    ...given,
    get runtime() {
      if (!runtime) {
        const opened = openRuntime({
          ...{ directories: directories(), version, environment: process.env, onWait: sayWaiting },
        });
        close.push(() => opened.close());
        runtime = opened;
      }
      return runtime;
    },
    get workspace() {
      workspace ??= openFor(options, this.runtime);
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
function openFor({ workspace, thread }: Call["options"], runtime: Runtime): Workspace {
  const here = runtime.workspace(
    workspace === undefined ? discoverRoot(runtime.store, process.cwd()) : String(workspace),
  );
  if (typeof thread !== "string") return here;
  const { title, workspace_root: root } = find.thread(here, thread);
  if (root === here.root) return here;
  if (workspace === undefined) return runtime.workspace(root);
  throw wrongUsage(`${title} is a discussion of ${root}, not of ${here.root}. Nothing was changed.`);
}

function sayWaiting(): void {
  process.stderr.write("Another Retake is working in this directory; waiting for it …\n");
}
