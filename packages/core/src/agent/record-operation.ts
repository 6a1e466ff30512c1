import {
  discardStep,
  endTool,
  finishTurn,
  moveAgent,
  noteSent,
  progressTool,
  proposeTool,
  startTool,
  startTurn,
  streamTurn,
} from "../operations/turn.ts";
import { answerFingerprint, callFingerprint, type Hash } from "../provider/fingerprint.ts";
import type { Attachment } from "../session/attachment.ts";
import type { Built, Context } from "../session/draft.ts";
import type { CallReceipt, Entry, ThinkingSegment, ToolCall } from "../session/entry.ts";
import type { OperationId } from "../session/operation.ts";
import type { TakeId } from "../session/record.ts";
import type { State } from "../session/state.ts";
import { entryById, turn } from "../session/view.ts";
import type { AgentState } from "./agent-state.ts";
import type { RecordEffect } from "./effect.ts";
import { type Covered, turnReceipt } from "./turn-receipt.ts";

/** Facts that the runtime gives when it commits the records of a transition. */
export interface RecordFacts {
  /** The agent after the transition. */
  readonly agent: AgentState;
  readonly hash: Hash;
  /** Fingerprint of the messages of the last request; it is stored with the thinking that they led to. */
  readonly prefix?: string;
  /** For a retry: the operation that took back the turn before. */
  readonly retries?: OperationId;
  /** For the start of a turn that names its thread. */
  readonly title?: string;
  /** The files after a call that may have changed them, by the id of its result's entry. */
  readonly calls?: ReadonlyMap<string, { readonly tree: string; readonly receipt: CallReceipt }>;
  /** Attachments for the model, by the id of their entry. */
  readonly attached?: ReadonlyMap<string, readonly Attachment[]>;
  /** The coverage of the turn's last capture. `tree` is set when the changes it found belong to the turn. */
  readonly last?: { readonly covered: Covered; readonly tree?: string };
}

/**
 * Makes the operation of a record of the agent [AG3], in the take of the context. The records of one transition are
 * made one after the other, each on the state after the one before. `nothing-to-do`: the record changes nothing.
 */
export function recordOperation(
  state: State,
  context: Context & { readonly take: TakeId },
  record: RecordEffect,
  facts: RecordFacts,
): Built {
  const { take } = context;
  const { agent, last } = facts;
  const { turn_id } = record;
  switch (record.kind) {
    case "record-turn-started": {
      const prompt = { id: record.entry_id, content: record.prompt, ...attachedTo(record.entry_id, facts) };
      const retries = facts.retries === undefined ? {} : { retries: facts.retries };
      const title = facts.title === undefined ? {} : { title: facts.title };
      return startTurn(state, context, { turn_id, prompt, model: record.model, agent, ...retries, ...title });
    }
    case "record-agent":
      return moveAgent(state, context, { turn_id, agent });
    case "record-request":
      return noteSent(state, context, { turn_id, discussion: record.sent, agent });
    case "record-step-part": {
      const { entry_id: entry, part } = record;
      if (part.kind === "text") return streamTurn(state, context, { turn_id, entry, text: part.text, agent });
      const thinking_segments = withThinking(
        entryById(state, take, entry),
        part,
        proofOf(state, context, record, facts),
      );
      return streamTurn(state, context, { turn_id, entry, agent, fields: { thinking_segments } });
    }
    case "record-step-discarded": {
      const { entry_id: entry } = record;
      if (!entryById(state, take, entry)) return moveAgent(state, context, { turn_id, agent });
      return discardStep(state, context, { turn_id, entry, agent });
    }
    case "record-step-finished":
      return finishStep(state, context, record, facts);
    case "record-tool-pending": {
      const call = { id: record.call_id, name: record.name };
      return proposeTool(state, context, { turn_id, entry: record.entry_id, call, agent });
    }
    case "record-tool-started": {
      const call = { id: record.call_id, name: record.name };
      const fields = record.notices.length > 0 ? { fields: { notices: record.notices } } : {};
      return startTool(state, context, { turn_id, entry: record.entry_id, call, agent, ...fields });
    }
    case "record-tool-progress":
      return progressTool(state, context, { turn_id, entry: record.entry_id, progress: record.progress, agent });
    case "record-tool-ended": {
      const { entry_id: entry, outcome: status, content, details } = record;
      const files = facts.calls?.get(entry);
      const receipt = files ? { receipt: files.receipt } : {};
      const fields = { ...(details ? { details } : {}), ...receipt, ...attachedTo(entry, facts) };
      const tree = files ? { tree: files.tree } : {};
      return endTool(state, context, { turn_id, entry, status, content, agent, fields, ...tree });
    }
    case "record-turn-finished": {
      const { status, steps, usage, failure } = record;
      const fields = { steps, usage, ...(failure ? { failure } : {}) };
      const receipt = last ? { receipt: turnReceipt(state, take, turn_id, last.covered) } : {};
      const tree = last?.tree === undefined ? {} : { tree: last.tree };
      return finishTurn(state, context, { turn_id, status, fields, ...receipt, ...tree });
    }
  }
}

type RecordOf<Kind extends RecordEffect["kind"]> = Extract<RecordEffect, { kind: Kind }>;

function attachedTo(entry: string, { attached }: RecordFacts): { attached?: readonly Attachment[] } {
  const list = attached?.get(entry) ?? [];
  return list.length > 0 ? { attached: list } : {};
}

/** An empty answer leaves no entry. */
function finishStep(
  state: State,
  context: Context & { readonly take: TakeId },
  record: RecordOf<"record-step-finished">,
  facts: RecordFacts,
): Built {
  const { turn_id, entry_id: entry, usage, outcome } = record;
  const { agent, hash } = facts;
  const there = entryById(state, context.take, entry);
  const says = (there?.content ?? "") !== "" || (there?.thinking_segments?.length ?? 0) > 0;
  if (!says && record.calls.length === 0) {
    if (there) return discardStep(state, context, { turn_id, entry, agent });
    return moveAgent(state, context, { turn_id, agent });
  }
  const proof = proofOf(state, context, record, facts);
  const calls = record.calls.map((call) => signedCall(call, proof, hash));
  const fields = {
    usage,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...withAnswer(there, calls, hash),
    ...(outcome === "answered" ? {} : { partial: outcome }),
  };
  return streamTurn(state, context, { turn_id, entry, agent, fields });
}

/** The model and the messages that thinking and signed calls are bound to. */
type Proof = { readonly model?: string; readonly prefix?: string };

function proofOf(state: State, { take }: { take: TakeId }, record: RecordEffect, { prefix }: RecordFacts): Proof {
  const model = turn(state, take, record.turn_id)?.model;
  return { ...(prefix === undefined ? {} : { prefix }), ...(model === undefined ? {} : { model }) };
}

type ThinkingPart = Extract<RecordOf<"record-step-part">["part"], { kind: "thinking" }>;
type Answer = Pick<Entry, "content" | "thinking_segments">;

/** Text is added to the last segment until a signature closes it. */
export function withThinking(entry: Answer | undefined, part: ThinkingPart, proof: Proof): ThinkingSegment[] {
  const before = entry?.thinking_segments ?? [];
  const last = before.at(-1);
  const open = last && last.signature === undefined ? last : undefined;
  const text_before = open?.text_before ?? entry?.content.length ?? 0;
  const segment = {
    ...open,
    text: (open?.text ?? "") + part.text,
    ...(text_before > 0 ? { text_before } : {}),
    ...(part.signature === undefined ? {} : { signature: part.signature }),
    ...(part.redacted ? { redacted: true } : {}),
    ...proof,
  };
  return [...before.slice(0, open ? -1 : undefined), segment];
}

/** The proof of a call is valid for the model and the messages it was made with. */
export function signedCall(call: ToolCall, { prefix, model }: Proof, hash: Hash): ToolCall {
  if (call.signature === undefined || prefix === undefined || model === undefined) return call;
  return { ...call, prefix, model, answer: callFingerprint(call, hash) };
}

/** Binds signed thinking to its answer once the answer is complete. */
function withAnswer(
  entry: Entry | undefined,
  tool_calls: readonly ToolCall[],
  hash: Hash,
): { thinking_segments?: ThinkingSegment[] } {
  const segments = entry?.thinking_segments ?? [];
  if (!segments.some(({ signature = "" }) => signature !== "")) return {};
  const step = { content: entry?.content ?? "", tool_calls, thinking_segments: segments };
  const answer = answerFingerprint(step, hash);
  return { thinking_segments: segments.map((segment) => ({ ...segment, answer })) };
}
