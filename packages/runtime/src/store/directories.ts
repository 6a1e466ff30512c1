import { isAbsolute, join, resolve } from "node:path";
import { homeDirectory, StoreError } from "@retake/workspace";

/** Where Retake stores its files: below `RETAKE_HOME`, or in the system's usual directories. */
export interface Directories {
  /** The store. */
  readonly data: string;
  readonly config: string;
  /** Data that may be lost: locks, addresses, the communication log. */
  readonly state: string;
}

/** Links to directories whose paths are not UTF-8. */
export function aliasesIn({ state }: Directories): string {
  return join(state, "aliases");
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A variable of the system that is empty or relative does not count, as the XDG specification says: what it names would
 * be another place in every directory, and one in the workspace.
 */
export function directories(environment: Environment): Directories {
  const named = environment["RETAKE_HOME"];
  if (named) {
    const home = resolve(named);
    return { data: join(home, "data"), config: join(home, "config"), state: join(home, "state") };
  }
  const absolute = (path: string | undefined) => (path !== undefined && isAbsolute(path) ? path : undefined);
  const below = (variable: string, ...otherwise: string[]) => {
    const home = absolute(environment["HOME"]) ?? homeDirectory();
    const parent = absolute(environment[variable]) ?? (home === undefined ? undefined : join(home, ...otherwise));
    if (parent !== undefined) return join(parent, "retake");
    throw new StoreError(
      "unopenable",
      "There is no home directory. Nothing was done. Name a directory in RETAKE_HOME.",
    );
  };
  return {
    data: below("XDG_DATA_HOME", ".local", "share"),
    config: below("XDG_CONFIG_HOME", ".config"),
    state: below("XDG_STATE_HOME", ".local", "state"),
  };
}
