import type { CallFacts, JsonObject, PathFact, ToolProgress } from "@retake/core";
import type { ConfinedPlace } from "./confine/confined-place.ts";
import type { Confinement, ConfinementFound } from "./confine/confinement.ts";

/**
 * What the agent can do besides talking. A tool says beforehand what a call would touch
 * (`examine`), so that it can be approved, and then does it (`run`). It decides nothing about
 * approval, captures and history: those are around it.
 */
export interface Tool {
  readonly name: string;
  /** What the model is told of it. */
  readonly description: string;
  /** JSON Schema of the input, an object. */
  readonly input: JsonObject;
  /** What is wrong with an input, told to the model; undefined when nothing is. */
  check(input: JsonObject): string | undefined;
  /** What the call would touch, with links resolved. Looks, and changes nothing. */
  examine(input: JsonObject, place: ToolRoots): Promise<CallFacts>;
  /** The change of a file that the call would make, as lines with `-` and `+`. Looks, and changes nothing. */
  preview?(input: JsonObject, place: ToolRoots): Promise<string | undefined>;
  run(input: JsonObject, run: ToolRun): Promise<ToolEnd>;
  /**
   * Whether it writes by renaming files into place alone, which a watcher always sees. A program may also write in
   * ways that no watcher sees (through a mapping, or a link elsewhere): after it everything is looked at.
   */
  readonly onlyReplaces?: boolean;
}

export interface ToolRoots {
  /** The workspace, absolute, links resolved. */
  readonly root: string;
  /** The directory that `overflow` files lie in, links resolved: reading there is not leaving the workspace. */
  readonly kept?: string;
  /** How commands can be confined here; none where it is not given. */
  confinement?(): Promise<Confinement>;
  /** What the confinement kept this command from when it ran last in this turn; undefined if it was not stopped. */
  stopped?(command: string): string | undefined;
}

/** How a command is confined, and what it finds. */
export interface Confined {
  readonly by: ConfinementFound;
  readonly place: ConfinedPlace;
}

export interface ToolRun extends ToolRoots {
  readonly signal: AbortSignal;
  /**
   * The paths that `examine` named and that were approved. A link may have been turned since: what
   * leads out of the workspace or into a `.git` directory without saying so runs only if it is among them.
   */
  readonly approved?: readonly PathFact[];
  /** What it has said since the last time (`text`: of much only the end), and how far it is. */
  report(progress: ToolProgress & { readonly text?: string }): void;
  /** Where output that is too long for the model is kept whole, so that it can be read on. */
  readonly overflow: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Commands run confined in this way; without it they are not confined. */
  readonly confined?: Confined;
}

export interface ToolEnd {
  readonly outcome: "completed" | "failed" | "interrupted";
  /** What the model is told. */
  readonly content: string;
  /** Images that the model is shown with the result. */
  readonly images?: readonly ToolImage[];
  /** What else is kept with the result: exit code, what was cut, times. */
  readonly details?: JsonObject;
}

export interface ToolImage {
  readonly path: string;
  readonly media_type: string;
  readonly data: Uint8Array;
}
