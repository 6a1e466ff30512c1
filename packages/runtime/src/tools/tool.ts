import type { CallFacts, JsonObject, PathFact, ToolProgress, Usage } from "@retake/core";
import type { CommandEnd } from "./command-end.ts";
import type { ConfinedPlace } from "./confine/confined-place.ts";
import type { Confinement, ConfinementFound } from "./confine/confinement.ts";
import type { OutputKeeper } from "./output-keeper.ts";

/**
 * A capability of the agent besides talking. A tool says beforehand what a call would touch (`examine`), so that it can
 * be approved, and then does it (`run`). It decides nothing about approval, captures and history: those are around it.
 */
export interface Tool {
  readonly name: string;
  /** For the model. */
  readonly description: string;
  /** JSON Schema of the input, an object. */
  readonly input: JsonObject;
  /** Describes the problem of an input to the model; undefined for a valid input. */
  check(input: JsonObject): string | undefined;
  /** The facts about the call, with links resolved. Looks, and changes nothing. */
  examine(input: JsonObject, place: ToolRoots): Promise<CallFacts>;
  /** The change of a file that the call would make, as lines with `-` and `+`. Looks, and changes nothing. */
  preview?(input: JsonObject, place: ToolRoots): Promise<string | undefined>;
  run(input: JsonObject, run: ToolRun): Promise<ToolEnd>;
  /**
   * Whether it writes by renaming files into place alone, which a watcher always sees. A program may also write in
   * ways that no watcher sees (through a mapping, or a link elsewhere): after it everything is looked at.
   */
  readonly onlyReplaces?: boolean;
  /** Whether all that it runs ends when Retake is killed, so that no later change of a file is its own. */
  readonly endsWithRetake?: boolean;
}

export interface ToolRoots {
  /** The workspace, absolute, links resolved. */
  readonly root: string;
  /** The directory that `overflow` files lie in, links resolved: reading there is not leaving the workspace. */
  readonly kept?: string;
  /** How commands can be confined here; none where it is not given. */
  confinement?(): Promise<Confinement>;
  /** The reason why the confinement stopped this command when it last ran in this turn; undefined if it did not. */
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
  /** Reports the output since the last report (only the end of a long one), and the progress. */
  report(progress: ToolProgress & { readonly text?: string }): void;
  /** Where output that is too long for the model is kept whole, so that it can be read on. */
  readonly overflow: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Commands run confined in this way; without it they are not confined. */
  readonly confined?: Confined;
  /** The commands that run on after their call. Without it none can. */
  readonly background?: Background;
  /** Confines commands of a tool that runs other tools. Fails where commands cannot be confined. */
  confine?(): Promise<Confined>;
}

/** The commands that run on while the agent works, by their names. */
export interface Background {
  /** Starts a command; answers why not where there are too many. It reports its output by `run` until it has ended. */
  start(command: string, run: ToolRun): BackgroundCommand | string;
  /** The names of those that have not ended. */
  readonly running: readonly string[];
  find(name: string): BackgroundCommand | undefined;
  /** Waits until a command has said something new or has ended, but not longer than this. */
  news(name: string, milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Ends a command with all that it started. One that has ended stays as it was. */
  end(name: string): Promise<void>;
  /** Notes that the agent knows the end of a command. */
  known(name: string): void;
}

export interface BackgroundCommand {
  readonly name: string;
  readonly keeper: OutputKeeper;
  /** The file that is made when nothing of it runs any more. */
  readonly mark: string;
  /** How it ended, once it has. */
  readonly end: CommandEnd | undefined;
  /** Resolves when nothing of it runs any more and all its output is kept. */
  readonly ended: Promise<CommandEnd>;
}

export interface ToolEnd {
  readonly outcome: "completed" | "failed" | "interrupted";
  /** For the model. */
  readonly content: string;
  /** Images that the model is shown with the result. */
  readonly images?: readonly ToolImage[];
  /** Other data stored with the result: exit code, cut lengths, times. */
  readonly details?: JsonObject;
  /** The command that the call started and that runs on. */
  readonly background?: BackgroundCommand;
  /** The tokens that a tool used which asks a model. */
  readonly usage?: Usage;
}

export interface ToolImage {
  readonly path: string;
  readonly media_type: string;
  readonly data: Uint8Array;
}
