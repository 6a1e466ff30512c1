import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Action, type CallFacts, entryById, type JsonObject, setting, stepEntryId } from "@retake/core";
import type { Captured } from "@retake/workspace";
import type { Tool, ToolEnd } from "../tools/tool.ts";
import type { GitNotes } from "./git-notes.ts";
import type { TurnAccess } from "./turn-access.ts";

type Work<Kind extends Action["kind"]> = Extract<Action, { kind: Kind }>;
type OfCall = { readonly turn_id: string; readonly step: number; readonly call_id: string };

/** Examines and runs the calls of a turn, each that may write between two captures of the files. */
export class ToolCalls {
  readonly #access: TurnAccess;
  readonly #git: GitNotes;
  /** What the calls of this step were found to touch. */
  readonly #facts = new Map<string, CallFacts>();
  /** The files after a tool, by the entry of its result, until its end is recorded. */
  readonly captured = new Map<string, Captured>();
  /** Whether a tool may have written what no capture holds, because the capture after it failed. */
  uncaptured = false;

  constructor(access: TurnAccess, git: GitNotes) {
    this.#access = access;
    this.#git = git;
  }

  /** What a call was given, as the answer of its step says now. */
  input(call: OfCall): JsonObject {
    return this.#callOf(call).input;
  }

  async examine({ turn_id, step, attempt, calls }: Work<"examine-calls">): Promise<void> {
    const { parts, take, root, tell } = this.#access;
    const { tools, overflow } = parts;
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
          const facts = await tool.examine(input, { root, kept: overflow });
          this.#facts.set(call_id, facts);
          return { call_id, parallel: !facts.writes, facts };
        } catch (error) {
          return cannot(`What this call would touch could not be found out, so it was not run: ${messageOf(error)}`);
        }
      }),
    );
    const rules = this.#access.read((state) => setting(state, take, "approval_rules"));
    tell({ kind: "calls-examined", turn_id, step, attempt, calls: examined, rules, at: this.#access.now() });
  }

  async run(action: Work<"run-tool">, signal: AbortSignal): Promise<void> {
    const { turn_id, step, call_id } = action;
    let end: ToolEnd;
    try {
      end = await this.#runCaptured(action, signal);
    } catch (error) {
      this.#access.ioFailed(action, error);
      end = { outcome: "failed", content: `Not run: ${messageOf(error)}` };
    }
    this.#access.tell({ kind: "tool-ended", turn_id, step, call_id, ...end, at: this.#access.now() });
  }

  /** Throws what failed before the tool ran. */
  async #runCaptured(action: Work<"run-tool">, signal: AbortSignal): Promise<ToolEnd> {
    const { turn_id, step, call_id, name, entry_id } = action;
    const work = { turn_id, step, call_id };
    const { request, parts, root, tell } = this.#access;
    const { files, workspace, overflow, environment } = parts;
    const tool = parts.tools.find((each) => each.name === name) as Tool;
    const input = this.input(work);
    // What was approved, and not what a second look would find: a link may have been turned since.
    const { writes, paths } = this.#facts.get(call_id) ?? { writes: true, paths: [] };
    if (writes) {
      await this.#git.begun();
      await files.noteEdits(request.thread, { hints: true });
    }
    this.#access.log({ kind: "tool-call", ...work, name, entry_id, input });
    mkdirSync(overflow, { recursive: true, mode: 0o700 });
    let said = 0;
    const surroundings = {
      ...{ root, kept: overflow, approved: paths, signal, environment },
      overflow: join(overflow, `${turn_id}-${step}-${call_id.replace(/[^A-Za-z0-9_-]/g, "_")}`),
      report: ({ text, ...progress }: Parameters<Parameters<Tool["run"]>[1]["report"]>[0]) => {
        if (text !== undefined) request.onEvent({ type: "tool-output", entry: entry_id, call_id, at: said, text });
        said += text?.length ?? 0;
        if (Object.keys(progress).length > 0) tell({ kind: "tool-progressed", ...work, progress });
      },
    };
    const end = await tool
      .run(input, surroundings)
      .catch((error): ToolEnd => ({ outcome: "failed", content: messageOf(error) }));
    try {
      this.uncaptured = writes;
      // Also of a tool that failed: what it wrote is its own.
      if (writes) this.captured.set(entry_id, await workspace.capture({ hints: tool.onlyReplaces ?? false }));
      this.uncaptured = false;
      if (writes) await this.#git.wrote();
      this.#access.log({ kind: "tool-result", ...work, name, entry_id, outcome: end.outcome, content: end.content });
    } catch (error) {
      this.#access.ioFailed(action, error);
    }
    return end;
  }

  /** `invalid`: what the model wrote as the input is none; it is told, and nothing runs. */
  #callOf(named: OfCall): { input: JsonObject; invalid?: string } {
    const { take } = this.#access;
    const answer = this.#access.read((state) => entryById(state, take, stepEntryId(named.turn_id, named.step)));
    const call = answer?.tool_calls?.find((each) => each.id === named.call_id);
    const wrong = call?.["invalid_input"];
    const input = call?.input ?? {};
    if (typeof wrong !== "string") return { input };
    const begin = JSON.stringify(wrong.slice(0, 200).toWellFormed());
    return { input, invalid: `The input of this call is not a JSON object, so nothing was run. It began: ${begin}` };
  }
}

function messageOf(error: unknown): string {
  return (error as Error).message;
}

const NO_FACTS = { writes: false, paths: [], irreversible: [] };
