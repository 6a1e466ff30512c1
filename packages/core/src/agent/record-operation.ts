import { changeSetting } from "../operations/change-settings.ts";
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
import type { Built, Context } from "../session/draft.ts";
import type { Entry, ThinkingSegment, ToolCall } from "../session/entry.ts";
import type { OperationId } from "../session/operation.ts";
import type { TakeId } from "../session/record.ts";
import type { State } from "../session/state.ts";
import { entryById, setting, turn } from "../session/view.ts";
import type { JsonObject } from "../values/json.ts";
import type { AgentState } from "./agent-state.ts";
import type { RecordEffect } from "./effect.ts";
import { type Covered, turnReceipt } from "./turn-receipt.ts";

/** What the runtime knows when it commits the records of a transition. */
export interface RecordFacts {
  /** The agent after the transition. */
  readonly agent: AgentState;
  readonly hash: Hash;
  /** Fingerprint of the messages that were sent last, kept with what the model thought under them. */
  readonly prefix?: string;
  /** The operation that took back the turn which this one is another try of. */
  readonly retries?: OperationId;
  /** The files after a call that may have changed them, by the entry of its result. */
  readonly calls?: ReadonlyMap<string, { readonly tree: string; readonly receipt: JsonObject }>;
  /** What the turn's last capture covered; with `tree` where the difference it found is the turn's own. */
  readonly last?: { readonly covered: Covered; readonly tree?: string };
}

/**
 * The operation that a record of the agent's is [AG3], in the take of the context. The records of one transition are
 * made one after the other, each on the state that the one before led to. `nothing-to-do`: the record changes nothing.
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
      const prompt = { id: record.entry_id, content: record.prompt };
      const retries = facts.retries === undefined ? {} : { retries: facts.retries };
      return startTurn(state, context, { turn_id, prompt, model: record.model, agent, ...retries });
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
      const fields = { ...(details ? { details } : {}), ...(files ? { receipt: files.receipt } : {}) };
      const tree = files ? { tree: files.tree } : {};
      return endTool(state, context, { turn_id, entry, status, content, agent, fields, ...tree });
    }
    case "record-approval-rule": {
      const rules = setting(state, take, "approval_rules");
      const user: Context = { ...context, actor: { kind: "user" } };
      return changeSetting(state, user, { field: "approval_rules", value: [...rules, record.rule] });
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

/** An answer that says nothing leaves no entry. */
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

/** What thinking and signed calls are bound to: the model, and the messages it was sent. */
type Proof = { readonly model?: string; readonly prefix?: string };

function proofOf(state: State, { take }: { take: TakeId }, record: RecordEffect, { prefix }: RecordFacts): Proof {
  const model = turn(state, take, record.turn_id)?.model;
  return { ...(prefix === undefined ? {} : { prefix }), ...(model === undefined ? {} : { model }) };
}

type ThinkingPart = Extract<RecordOf<"record-step-part">["part"], { kind: "thinking" }>;

/** Text goes on in the last segment until a signature closes it. */
function withThinking(entry: Entry | undefined, part: ThinkingPart, proof: Proof): ThinkingSegment[] {
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

/** A call's proof holds for the model and the messages it was made under. */
function signedCall(call: ToolCall, { prefix, model }: Proof, hash: Hash): ToolCall {
  if (call.signature === undefined || prefix === undefined || model === undefined) return call;
  return { ...call, prefix, model, answer: callFingerprint(call, hash) };
}

/** Signed thinking is bound to the answer that it led to, now that the answer is whole. */
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
