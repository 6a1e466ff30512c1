import { homedir } from "node:os";
import { join } from "node:path";

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

export function directories(environment: Environment): Directories {
  const home = environment["RETAKE_HOME"];
  if (home) return { data: join(home, "data"), config: join(home, "config"), state: join(home, "state") };
  const below = (variable: string, ...otherwise: string[]) =>
    join(environment[variable] || join(environment["HOME"] || homedir(), ...otherwise), "retake");
  return {
    data: below("XDG_DATA_HOME", ".local", "share"),
    config: below("XDG_CONFIG_HOME", ".config"),
    state: below("XDG_STATE_HOME", ".local", "state"),
  };
}
