import { mkdirSync } from "node:fs";
import {
  type Action,
  type Attachment,
  type CallFacts,
  entryById,
  type JsonObject,
  type PathFact,
  stepEntryId,
} from "@retake/core";
import { type BytePath, bytePath, type Captured } from "@retake/workspace";
import { endMark } from "../tools/run-command.ts";
import type { Confined, Tool, ToolEnd, ToolImage, ToolRun } from "../tools/tool.ts";
import { type GuardedCommand, guardCommand } from "../tools/watchdog.ts";
import { attachImages, attachInstructions, imageCount } from "./attach-context.ts";
import { instructionsAbove } from "./find-instructions.ts";
import type { GitNotes } from "./git-notes.ts";
import { invalidInput } from "./invalid-input.ts";
import { overflowFile } from "./overflow-file.ts";
import type { TurnAccess } from "./turn-access.ts";
import { TurnBackground } from "./turn-background.ts";

type ActionOf<Kind extends Action["kind"]> = Extract<Action, { kind: Kind }>;
type OfCall = { readonly turn_id: string; readonly step: number; readonly call_id: string };

/** Examines and runs the calls of a turn; a call that may write runs between two captures of the files. */
export class ToolCalls {
  readonly #access: TurnAccess;
  readonly #git: GitNotes;
  /** The facts about the calls of this step. */
  readonly #facts = new Map<string, CallFacts>();
  /** The reason why the confinement stopped a command of this turn, by command. */
  readonly #stopped = new Map<string, string>();
  readonly #stoppedBy = (command: string) => this.#stopped.get(command);
  /** The calls that are marked when Retake is killed, by the entry of their result, until their end is recorded. */
  readonly #guarded = new Map<string, GuardedCommand>();
  /** The files after a tool, by the entry of its result, until its end is recorded. */
  readonly captured = new Map<string, Captured>();
  /** Attachments of a tool's result, by the entry of the result. */
  readonly attached = new Map<string, readonly Attachment[]>();
  /** Whether a tool may have made changes that no capture holds, because the capture after it failed. */
  uncaptured = false;
  readonly background: TurnBackground;

  constructor(access: TurnAccess, git: GitNotes, turn: string) {
    const { parts, request, take } = access;
    const actor = { kind: "agent", name: request.model.name } as const;
    this.#access = access;
    this.#git = git;
    this.background = new TurnBackground(parts, { thread: request.thread, take, actor }, turn);
  }

  /** The input of a call, as its step's answer contains it now. */
  input(call: OfCall): JsonObject {
    return this.#callOf(call).input;
  }

  async examine({ turn_id, step, attempt, calls }: ActionOf<"examine-calls">): Promise<void> {
    const { parts, request, root, tell } = this.#access;
    const { tools, overflow, approvals, confiner } = parts;
    const place = { root, kept: overflow, confinement: () => confiner.find(), stopped: this.#stoppedBy };
    this.#facts.clear();
    const examined = await Promise.all(
      calls.map(async ({ call_id, name }) => {
        const tool = tools.find((each) => each.name === name);
        const { input, invalid } = this.#callOf({ turn_id, step, call_id });
        const cannot = (problem: string) => ({ call_id, parallel: true, facts: NO_FACTS, problem });
        if (!tool) return cannot(`There is no tool ${name}. There are: ${tools.map((each) => each.name).join(", ")}.`);
        const problem = invalid ?? tool.check(input);
        if (problem !== undefined) return cannot(problem);
        try {
          const facts = await tool.examine(input, place);
          this.#facts.set(call_id, facts);
          return { call_id, parallel: !facts.writes, facts };
        } catch (error) {
          return cannot(
            `The call was not run, because Retake could not find out what it would touch: ${messageOf(error)}`,
          );
        }
      }),
    );
    const { mode: usual, rules } = approvals.of(root);
    const policy = { mode: request.mode ?? usual, rules, questions: request.questions ?? true };
    tell({ kind: "calls-examined", turn_id, step, attempt, calls: examined, policy, at: this.#access.now() });
  }

  /** To be called when the end of a call is recorded. */
  recorded(entry: string): void {
    this.captured.delete(entry);
    this.#guarded.get(entry)?.ended();
    this.#guarded.delete(entry);
  }

  /** Ends everything that outlives its call, and the guard of calls whose end could not be recorded. */
  async stop(): Promise<void> {
    await this.background.commands.endAll();
    for (const entry of this.#guarded.keys()) this.recorded(entry);
  }

  /** The change that a call would make, for the question about it; undefined where it cannot be shown. */
  async preview(name: string, input: JsonObject): Promise<string | undefined> {
    const tool = this.#access.parts.tools.find((each) => each.name === name);
    return tool?.preview?.(input, { root: this.#access.root }).catch(() => undefined);
  }

  async run(action: ActionOf<"run-tool">, signal: AbortSignal): Promise<void> {
    const { turn_id, step, call_id } = action;
    let end: ToolEnd;
    try {
      end = await this.#runCaptured(action, signal);
    } catch (error) {
      this.#access.ioFailed(action, error);
      end = { outcome: "failed", content: `Not run: ${messageOf(error)}` };
    }
    const { images: _, background: __, ...told } = end;
    const content = [end.content, this.background.commands.told()].filter((text) => text !== "").join("\n");
    this.#access.tell({ kind: "tool-ended", turn_id, step, call_id, ...told, content, at: this.#access.now() });
  }

  /** Throws errors from before the tool ran. */
  async #runCaptured(action: ActionOf<"run-tool">, signal: AbortSignal): Promise<ToolEnd> {
    const { turn_id, step, call_id, name, entry_id } = action;
    const work = { turn_id, step, call_id };
    const { request, parts, root } = this.#access;
    const { files, workspace, overflow, environment } = parts;
    const tool = parts.tools.find((each) => each.name === name) as Tool;
    const input = this.input(work);
    // The approved facts, and not those of a second examination: a link may have been changed since.
    const { writes, paths, command } = this.#facts.get(call_id) ?? { writes: true, paths: [] };
    mkdirSync(overflow, { recursive: true, mode: 0o700 });
    const overflowing = overflowFile(overflow, work);
    // Before anything else, because the call counts as running, and also while nothing of it runs: a kill may come before it begins,
    // before the capture after it, or between the commands of a helper.
    if (writes && tool.endsWithRetake) this.#guarded.set(entry_id, guardCommand(endMark(overflowing)));
    if (writes) await this.#git.begun();
    // A tool that only replaces files says which; a program may change any.
    const named = tool.onlyReplaces ? workspacePaths(paths) : undefined;
    const look = { hints: true, ...(named ? { named } : {}) };
    const before = !writes
      ? undefined
      : this.background.isOpen
        ? await this.background.capture()
        : await files.noteEdits(request.thread, look);
    const confined = command === undefined || action.outside ? undefined : await this.#confine(before);
    this.#access.log({ kind: "tool-call", ...work, name, entry_id, input });
    const since = Date.now();
    const surroundings: ToolRun = {
      root,
      kept: overflow,
      approved: paths,
      signal,
      environment,
      ...(confined ? { confined } : {}),
      confinement: () => parts.confiner.find(),
      confine: () => this.#confine(before),
      background: this.background.commands,
      overflow: overflowing,
      report: this.#reporter(action),
    };
    const end = await tool
      .run(input, surroundings)
      .catch((error): ToolEnd => ({ outcome: "failed", content: messageOf(error) }));
    if (end.background) this.background.started(entry_id, end.background);
    this.#attach(entry_id, paths, end.images ?? []);
    const stopped = end.details?.["stopped"];
    if (command !== undefined && typeof stopped === "string") this.#stopped.set(command, stopped);
    try {
      this.uncaptured = writes;
      // Also after a failed tool: its changes belong to it.
      if (writes) {
        const captured = await workspace.capture(named ? { hints: true, named, since } : { since });
        this.captured.set(
          entry_id,
          named && this.background.isOpen ? this.background.without(captured, named) : captured,
        );
      }
      this.uncaptured = false;
      if (writes) await this.#git.wrote();
      this.#access.log({ kind: "tool-result", ...work, name, entry_id, outcome: end.outcome, content: end.content });
    } catch (error) {
      this.#access.ioFailed(action, error);
    }
    return end;
  }

  /** Passes on the output and the progress of a call. */
  #reporter({ turn_id, step, call_id, entry_id }: ActionOf<"run-tool">): ToolRun["report"] {
    const { request, tell } = this.#access;
    let at = 0;
    return ({ text, message, ...numbers }) => {
      if (text !== undefined) request.onEvent({ type: "tool-output", entry: entry_id, call_id, at, text });
      at += text?.length ?? 0;
      // A program may say anything; a record holds neither half a character nor any length.
      const words = message === undefined ? {} : { message: message.slice(0, LONGEST_MESSAGE).toWellFormed() };
      const progress = { ...numbers, ...words };
      if (Object.keys(progress).length > 0) tell({ kind: "tool-progressed", turn_id, step, call_id, progress });
    };
  }

  /** Instructions of subdirectories come with the first result that touches a file there; so do images. */
  #attach(entry: string, paths: readonly PathFact[], images: readonly ToolImage[]): void {
    const { context } = this.#access.parts;
    const inside = paths.flatMap(({ path, place }) => (place === "workspace" ? [path] : []));
    const files = instructionsAbove(inside, context.outside);
    const { attachments } = context;
    const shown = images.length === 0 ? 0 : this.#access.read((state) => imageCount(state, this.#access.take));
    const attached = [...attachInstructions(files, attachments), ...attachImages(images, shown, attachments)];
    if (attached.length > 0) this.attached.set(entry, attached);
  }

  /** Fails where commands cannot be confined: a command that must be confined does not run at all. */
  async #confine(before: Captured | undefined): Promise<Confined> {
    const { confiner } = this.#access.parts;
    const found = await confiner.find();
    if (found.kind === "none") throw new Error(`commands cannot be confined here: ${found.reason}`);
    return confiner.confine(found, before?.repositories ?? []);
  }

  #callOf(named: OfCall): { input: JsonObject; invalid?: string | undefined } {
    const { take } = this.#access;
    const answer = this.#access.read((state) => entryById(state, take, stepEntryId(named.turn_id, named.step)));
    const call = answer?.tool_calls?.find((each) => each.id === named.call_id);
    return { input: call?.input ?? {}, invalid: invalidInput(call) };
  }
}

/** Progress is shown in one line. */
const LONGEST_MESSAGE = 1000;

function workspacePaths(paths: readonly PathFact[]): BytePath[] {
  return paths.filter(({ place }) => place === "workspace").map(({ path }) => bytePath(path));
}

function messageOf(error: unknown): string {
  return (error as Error).message;
}

const NO_FACTS = { writes: false, paths: [], irreversible: [] };
