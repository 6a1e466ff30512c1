import { describeCall } from "../session/describe-call.ts";
import { type Built, build, type Context, type Draft, type Outline } from "../session/draft.ts";
import { AI, type Entry, preview, TOOL, type ToolStatus, USER } from "../session/entry.ts";
import { type EntryInput, entryProblem } from "../session/entry-input.ts";
import { groupId } from "../session/group-record.ts";
import type { OperationId } from "../session/operation.ts";
import { receiptProblem, type TurnReceipt } from "../session/receipt.ts";
import { spaceId, threadId } from "../session/record.ts";
import { isRefusal, type Refusal, refuse } from "../session/refusal.ts";
import type { State } from "../session/state.ts";
import { entries, entryById, inThread, runningTurn, setting, type Turn, tree, turn } from "../session/view.ts";
import { type Check, fields, labelled, maybe, number, object, oneOf } from "../values/check.ts";
import { foreignProblem, plain } from "../values/foreign.ts";
import { asJson, isObject, type Json, type JsonObject } from "../values/json.ts";
import { idProblem, nameProblem, quoted, textProblem } from "../values/text.ts";
import { isoTime } from "../values/time.ts";
import { FIXED } from "./edit-entry.ts";
import { placeEntry } from "./insert-entry.ts";

/**
 * A turn: a user's prompt and all that follows until the agent is idle. Its operations are one group, and its entries
 * carry its id. While it runs, the take's agent record names it, and no user may change its entries.
 */

/** Common input of the operations of a turn: which turn, and the agent's state afterwards. */
export interface InTurn {
  readonly turn_id: string;
  readonly agent?: JsonObject;
}

/** Starts a turn: the prompt becomes an entry, and the draft becomes empty. */
export function startTurn(
  state: State,
  context: Context,
  input: InTurn & {
    readonly prompt: EntryInput;
    readonly model?: string;
    /** A title for the thread, made from the prompt. */
    readonly title?: string;
    /** For a retry: the operation just before, which took back the last turn. Both form one group. */
    readonly retries?: OperationId;
  },
): Built {
  return build(state, context, (draft) => {
    const { turn_id, prompt } = input;
    if (runningTurn(draft.base, draft.take) !== undefined) {
      return refuse(
        "agent-running",
        "The agent is working on a turn already. Stop it (retake stop) or wait until it is done; nothing was changed.",
      );
    }
    const problem =
      labelled("The turn's id", idProblem(turn_id)) ??
      labelled("The prompt's", entryProblem(prompt) ?? (prompt.id === undefined ? "id is missing" : undefined)) ??
      labelled("The model", maybe(nameProblem)(input.model)) ??
      labelled("The title", maybe(nameProblem)(input.title));
    if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
    if (input.retries !== undefined && input.retries !== draft.base.head)
      return refuse("invalid-input", "A retry begins right after what it takes back. Nothing was changed.");
    const text = prompt.content ?? "";
    if (text.trim() === "") return refuse("invalid-input", "The prompt is empty. Nothing was changed.");
    if (turn(draft.base, draft.take, turn_id) || entryById(draft.base, draft.take, prompt.id)) {
      return refuse("already-exists", "There is a turn or an entry with that id already. Nothing was changed.");
    }
    const entry = placeEntry(draft, { role: USER, ...prompt }, { turn_id });
    const number = (inThread(draft.base, "numbers")?.turns ?? 0) + 1;
    draft.put(threadId("numbers"), { turns: number });
    const version = input.retries === undefined ? draft.version : draft.base.version;
    if (input.retries !== undefined) draft.update(groupId(draft.take, version), { role: "turn", turn_id });
    draft.put(spaceId(draft.take, "turn", turn_id), {
      id: turn_id,
      number,
      group: input.retries ?? draft.id,
      version,
      prompt: text,
      prompt_entry: entry.id,
      status: "running",
      started_at: isoTime(draft.at),
      tree_before: tree(draft.base, draft.take),
      ...(input.model === undefined ? {} : { model: input.model }),
    });
    if (setting(draft.base, draft.take, "draft").trim() === text.trim())
      draft.remove(spaceId(draft.take, "setting", "draft"));
    draft.put(spaceId(draft.take, "agent"), { turn_id, state: input.agent ?? {} });
    if (input.title !== undefined) draft.update("thread", { title: input.title });
    const group = input.retries === undefined ? {} : { group: input.retries };
    return { kind: "turn-started", description: `Turn: ${preview(entry)}`, turn_id, ...group };
  });
}

/** Records the agent's state when nothing else of the turn changes. */
export function moveAgent(state: State, context: Context, input: InTurn & { readonly agent: JsonObject }): Built {
  return inTurn(state, context, input, "turn-streamed", () => "Go on");
}

/** The model names the thread in its first turn. It is part of the turn, so an undo of the turn brings the old title back. */
export function titleThread(state: State, context: Context, input: InTurn & { readonly title: string }): Built {
  return inTurn(state, context, input, "turn-streamed", (draft) => {
    const problem = labelled("The title", nameProblem(input.title));
    if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
    draft.update("thread", { title: input.title });
    return `Name the thread ${input.title}`;
  });
}

/** Records new output of the model: text is appended to the entry, fields are set. */
export function streamTurn(
  state: State,
  context: Context,
  input: InTurn & {
    readonly entry: string;
    readonly text?: string;
    readonly fields?: { readonly [key: string]: Json };
  },
): Built {
  return inTurn(state, context, input, "turn-streamed", (draft) => {
    const problem =
      labelled("The text", textProblem(input.text ?? "")) ??
      labelled("The fields", maybe(ownFields)(input.fields)) ??
      labelled("The entry's", entryProblem({ id: input.entry, ...input.fields }));
    if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
    const entry = ownEntry(draft, input);
    if (isRefusal(entry)) return entry;
    const content = (entry?.content ?? "") + (input.text ?? "");
    const tooLong = textProblem(content);
    if (tooLong) return refuse("invalid-input", `The answer ${tooLong}. Nothing was changed.`);
    // Models write Markdown, so an answer is shown as such until the user says otherwise.
    const made = { role: AI, read_mode: true, ...input.fields, id: input.entry, content };
    if (entry) draft.update(spaceId(draft.take, "entry", entry.id), { ...input.fields, content });
    else placeEntry(draft, made, { turn_id: input.turn_id });
    return "Answer";
  });
}

/** D2: stores the request to the model with the discussion. */
export function noteSent(state: State, context: Context, input: InTurn & { readonly discussion: JsonObject }): Built {
  return inTurn(state, context, input, "turn-streamed", (draft) => {
    const problem = labelled("What was sent", plain(input.discussion));
    if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
    const record = spaceId(draft.take, "discussion");
    draft.put(record, { ...draft.get(record), ...input.discussion });
    return "Send to the model";
  });
}

/** Removes the text of a failed attempt from its entry: the next attempt begins with nothing. */
export function discardStep(state: State, context: Context, input: InTurn & { readonly entry: string }): Built {
  return inTurn(state, context, input, "turn-streamed", (draft) => {
    const entry = ownEntry(draft, input);
    if (isRefusal(entry)) return entry;
    draft.remove(spaceId(draft.take, "entry", input.entry));
    return "Discard a failed attempt";
  });
}

/**
 * Records a requested call: creates the entry of its result. All calls get theirs in order, before any of them runs.
 */
export function proposeTool(state: State, context: Context, input: InTurn & ToolInput): Built {
  return inTurn(state, context, input, "tool-proposed", (draft) => putTool(draft, input, "pending"));
}

/** Durable before the tool runs: after a crash it is known to have been running (L9). */
export function startTool(state: State, context: Context, input: InTurn & ToolInput): Built {
  return inTurn(state, context, input, "tool-started", (draft) => putTool(draft, input, "running"));
}

/** L2: records the progress of a tool and its output so far. */
export function progressTool(
  state: State,
  context: Context,
  input: InTurn & { readonly entry: string; readonly progress?: JsonObject; readonly text?: string },
): Built {
  return inTurn(state, context, input, "tool-progressed", (draft) => {
    const found = toolEntry(draft, input, ["pending", "running"]);
    if (isRefusal(found)) return found;
    const problem =
      labelled("The text", textProblem(input.text ?? "")) ??
      labelled("The progress", maybe(progressed)(input.progress));
    if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
    draft.update(spaceId(draft.take, "entry", found.id), {
      content: found.content + (input.text ?? ""),
      tool_result: { ...found.tool_result, ...(input.progress ? { progress: input.progress } : {}) } as JsonObject,
    });
    return `Progress of ${found.tool_result?.name ?? "a tool"}`;
  });
}

/** Records the end of a call, also of one that never ran. `tree` is the tree of the files now. */
export function endTool(
  state: State,
  context: Context,
  input: InTurn & {
    readonly entry: string;
    readonly status: Exclude<ToolStatus, "pending" | "running">;
    readonly content: string;
    readonly tree?: string;
    readonly fields?: { readonly [key: string]: Json };
  },
): Built {
  return inTurn(state, context, input, "tool-ended", (draft) => {
    const found = toolEntry(draft, input, ["running", "pending"]);
    if (isRefusal(found)) return found;
    const { progress: _, ...result } = found.tool_result ?? {};
    const after = { ...result, status: input.status } as JsonObject;
    const problem =
      labelled("The fields", maybe(ownFields)(input.fields)) ??
      labelled(
        "The result's",
        entryProblem({ id: found.id, ...input.fields, content: input.content, tool_result: after }),
      ) ??
      labelled("The tree's id", maybe(nameProblem)(input.tree)) ??
      labelled("The result's status", oneOf(["completed", "failed", "denied", "interrupted", "unknown"])(input.status));
    if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
    draft.update(spaceId(draft.take, "entry", found.id), {
      ...input.fields,
      content: input.content,
      tool_result: after,
    });
    if (input.tree !== undefined) draft.put(spaceId(draft.take, "workspace"), { tree: input.tree });
    return `${describeCall(draft.state, draft.take, found)} ${input.status}`;
  });
}

/**
 * Ends the turn. When it failed without any answer, its prompt is marked, so that it is sent to no model. Tools that
 * had not ended are marked as `interrupted`.
 */
export function finishTurn(
  state: State,
  context: Context,
  input: InTurn & {
    readonly status: Exclude<Turn["status"], "running">;
    readonly tree?: string;
    readonly receipt?: TurnReceipt;
    readonly fields?: { readonly [key: string]: Json };
  },
): Built {
  return inTurn(state, context, input, "turn-finished", (draft) => {
    const problem =
      labelled("The tree's id", maybe(nameProblem)(input.tree)) ??
      labelled("The turn", maybe(plain)(input.fields)) ??
      labelled("The receipt", maybe(receiptProblem)(input.receipt)) ??
      labelled("The turn's status", oneOf(TURN_ENDS)(input.status));
    if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
    for (const entry of ownOpenTools(draft, input.turn_id)) {
      const { progress: _, ...result } = entry.tool_result ?? {};
      const tool_result = { ...result, status: "interrupted" } as JsonObject;
      draft.update(spaceId(draft.take, "entry", entry.id), { tool_result });
    }
    if (input.status === "failed") markUnanswered(draft, input.turn_id);
    if (input.tree !== undefined) draft.put(spaceId(draft.take, "workspace"), { tree: input.tree });
    // An agent from elsewhere may name a turn that does not exist.
    if (turn(draft.base, draft.take, input.turn_id))
      draft.update(spaceId(draft.take, "turn", input.turn_id), {
        ...input.fields,
        ...(input.receipt === undefined ? {} : { receipt: asJson(input.receipt) }),
        status: input.status,
        ended_at: isoTime(draft.at),
        tree_after: tree(draft.state, draft.take),
      });
    draft.remove(spaceId(draft.take, "agent"));
    return input.status === "finished" ? "Turn finished" : `Turn ${input.status}`;
  });
}

export const TURN_ENDS = ["finished", "cut-off", "refused", "step-limit", "interrupted", "failed"];

/** Makes an operation of the running turn, in the turn's group. `edit` returns the description. */
export function inTurn(
  state: State,
  context: Context,
  input: InTurn,
  kind: Outline["kind"],
  edit: (draft: Draft) => string | Refusal,
): Built {
  return build(state, context, (draft) => {
    const running = runningTurn(draft.base, draft.take);
    if (running === undefined || running !== input.turn_id) {
      return refuse("no-such-turn", `The turn ${quoted(input.turn_id)} is not running. Nothing was changed.`);
    }
    const problem = labelled("The agent's state", maybe(plain)(input.agent));
    if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
    const description = edit(draft);
    if (typeof description !== "string") return description;
    const agent = spaceId(draft.take, "agent");
    if (input.agent && draft.get(agent)) draft.update(agent, { state: input.agent });
    const group = turn(draft.base, draft.take, running)?.group;
    return { kind, description, turn_id: running, ...(group === undefined ? {} : { group }) };
  });
}

function ownEntry(
  draft: Draft,
  input: { readonly turn_id: string; readonly entry: string },
): Entry | undefined | Refusal {
  const problem = labelled("The entry's id", idProblem(input.entry));
  if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
  const entry = entryById(draft.state, draft.take, input.entry);
  if (!entry || entry.turn_id === input.turn_id) return entry;
  return refuse("already-exists", `The entry ${input.entry} is not of this turn. Nothing was changed.`);
}

export function toolEntry(
  draft: Draft,
  input: { readonly turn_id: string; readonly entry: string },
  statuses: readonly ToolStatus[],
): Entry | Refusal {
  const entry = ownEntry(draft, input);
  if (isRefusal(entry)) return entry;
  if (entry?.tool_result && statuses.includes(entry.tool_result.status)) return entry;
  return refuse(
    "not-found",
    `No tool is ${statuses.join(" or ")} for the entry ${quoted(input.entry)}. Nothing was changed.`,
  );
}

interface ToolInput {
  /** The entry that receives the result. */
  readonly entry: string;
  readonly call: { readonly id: string; readonly name: string };
  readonly fields?: { readonly [key: string]: Json };
}

function putTool(draft: Draft, input: InTurn & ToolInput, status: "pending" | "running"): string | Refusal {
  const { entry: id, call } = input;
  const result = { call_id: call?.id, name: call?.name, status };
  const problem =
    labelled("The result's id", idProblem(id)) ??
    labelled("The fields", maybe(ownFields)(input.fields)) ??
    labelled("The result's", entryProblem({ ...input.fields, tool_result: result as never }));
  if (problem) return refuse("invalid-input", `${problem}. Nothing was changed.`);
  const there = entryById(draft.base, draft.take, id);
  if (there && !(status === "running" && there.turn_id === input.turn_id && there.tool_result?.status === "pending")) {
    return refuse("already-exists", `There is an entry ${id} already. Nothing was changed.`);
  }
  const fields = { ...input.fields, tool_result: result };
  if (there) draft.update(spaceId(draft.take, "entry", id), fields);
  else placeEntry(draft, { id, role: TOOL, ...fields }, { turn_id: input.turn_id });
  return `${status === "running" ? "Run" : "Ask for"} ${describeCall(draft.state, draft.take, { id, tool_result: result })}`;
}

function ownOpenTools(draft: Draft, turn_id: string): Entry[] {
  return ownEntries(draft, turn_id).filter(
    ({ tool_result: result }) => result?.status === "running" || result?.status === "pending",
  );
}

function markUnanswered(draft: Draft, turn_id: string): void {
  const [prompt, ...others] = ownEntries(draft, turn_id);
  if (prompt?.role === USER && others.length === 0)
    draft.update(spaceId(draft.take, "entry", prompt.id), { failed: true });
}

/** A turn writes only after its prompt, so the entries before it need not be read. */
function ownEntries(draft: Draft, turn_id: string): Entry[] {
  const prompt = turn(draft.state, draft.take, turn_id)?.prompt_entry;
  const first = prompt === undefined ? undefined : entryById(draft.state, draft.take, prompt);
  return [...entries(draft.state, draft.take, first)].filter((entry) => entry.turn_id === turn_id);
}

/** The model cannot set the fields that identify an entry and its place. */
const ownFields: Check = (value) => {
  const fixed = isObject(value) ? FIXED.find((name) => Object.hasOwn(value, name)) : undefined;
  return object(value) ?? (fixed === undefined ? undefined : `.${fixed} cannot be set`);
};
const progressed: Check = (value) => fields({}, { fraction: number(0, 1) })(value) ?? foreignProblem(value);
