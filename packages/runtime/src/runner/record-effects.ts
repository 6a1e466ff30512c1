import {
  type AgentState,
  answerFingerprint,
  type Built,
  type Context,
  callFingerprint,
  changeSetting,
  discardStep,
  type Entry,
  endTool,
  entryById,
  finishTurn,
  type History,
  type JsonObject,
  type OperationId,
  progressTool,
  proposeTool,
  type RecordEffect,
  refuse,
  setting,
  startTool,
  startTurn,
  streamTurn,
  type TakeId,
  type ToolCall,
} from "@retake/core";
import type { ThreadStore } from "../store/thread-store.ts";
import { RefusedError } from "../undo/thread-files.ts";
import type { Captured } from "../workspace/capture/capture-engine.ts";
import type { Receipt } from "../workspace/capture/receipt.ts";
import type { Workspace } from "../workspace/open-workspace.ts";
import { sha256 } from "./model-request.ts";
import { callReceipt, turnReceipt } from "./turn-receipt.ts";

export interface Recording {
  readonly take: TakeId;
  readonly agent: AgentState;
  /** The files after what is recorded, where they are the turn's doing. */
  readonly captured?: Captured;
  /** Of the turn's end: what its last capture covered. */
  readonly covered?: Receipt;
  /** Fingerprint of the messages that were sent, kept with what the model thought under them. */
  readonly prefix?: string;
  readonly model?: string;
  /** The operation that took back the turn which this one is another try of. */
  readonly retries?: OperationId;
}

/** Commits what the agent says to record, all of it or nothing; a refusal is thrown, to roll it back. */
export function commitRecords(
  parts: { readonly store: ThreadStore; readonly workspace: Workspace },
  thread: string,
  records: readonly RecordEffect[],
  context: () => Context,
  recording: (record: RecordEffect) => Recording,
): void {
  parts.workspace.database.transaction(() => {
    for (const record of records) {
      const done = parts.store.change(
        thread,
        (history) => recordEffect(record, history, context(), recording(record)) ?? SAYS_NOTHING,
      );
      if ("code" in done && done.code !== "nothing-to-do") throw new RefusedError(done);
    }
  });
}

const SAYS_NOTHING = refuse("nothing-to-do", "The record says nothing new.");

/** The operation that a record of the agent's is; undefined when it says nothing new. */
function recordEffect(
  effect: RecordEffect,
  history: History,
  context: Context,
  recording: Recording,
): Built | undefined {
  const { state } = history;
  const { take } = recording;
  const agent = recording.agent as unknown as JsonObject;
  const inTake = { ...context, take };
  const { captured } = recording;
  const tree = captured === undefined ? {} : { tree: captured.id };
  switch (effect.kind) {
    case "record-turn-started": {
      const prompt = { id: effect.entry_id, content: effect.prompt };
      const retries = recording.retries === undefined ? {} : { retries: recording.retries };
      return startTurn(state, inTake, { turn_id: effect.turn_id, prompt, model: effect.model, agent, ...retries });
    }
    case "record-step-started":
      return undefined;
    case "record-step-part": {
      const { turn_id, entry_id: entry, part } = effect;
      if (part.kind === "text") return streamTurn(state, inTake, { turn_id, entry, text: part.text, agent });
      if (part.kind === "tool-call") return undefined;
      const fields = { thinking_segments: withThinking(entryById(state, take, entry), part, recording) };
      return streamTurn(state, inTake, { turn_id, entry, agent, fields });
    }
    case "record-step-discarded": {
      const { turn_id, entry_id: entry } = effect;
      return entryById(state, take, entry) ? discardStep(state, inTake, { turn_id, entry, agent }) : undefined;
    }
    case "record-step-finished": {
      const { turn_id, entry_id: entry, usage, outcome } = effect;
      const calls = effect.calls.map((call) => signedCall(call, recording));
      const there = entryById(state, take, entry);
      const says = (there?.content ?? "") !== "" || (there?.thinking_segments?.length ?? 0) > 0;
      if (!says && calls.length === 0) return there ? discardStep(state, inTake, { turn_id, entry, agent }) : undefined;
      const fields = {
        usage,
        ...(calls.length > 0 ? { tool_calls: calls } : {}),
        ...withAnswer(there, calls),
        ...(outcome === "answered" ? {} : { partial: outcome }),
      };
      return streamTurn(state, inTake, { turn_id, entry, agent, fields });
    }
    case "record-tool-pending":
    case "record-tool-started": {
      const { turn_id, entry_id: entry, call_id: id, name } = effect;
      if (effect.kind === "record-tool-pending")
        return proposeTool(state, inTake, { turn_id, entry, call: { id, name }, agent });
      const fields =
        effect.notices.length > 0 ? { fields: { notices: effect.notices as unknown as JsonObject[] } } : {};
      return startTool(state, inTake, { turn_id, entry, call: { id, name }, agent, ...fields });
    }
    case "record-tool-progress":
      return progressTool(state, inTake, {
        turn_id: effect.turn_id,
        entry: effect.entry_id,
        ...(Object.keys(effect.progress).length > 0 ? { progress: { ...effect.progress } } : {}),
        agent,
      });
    case "record-tool-ended": {
      const { turn_id, entry_id: entry, outcome: status, content, details } = effect;
      const fields = { ...(details ? { details } : {}), ...(captured ? { receipt: callReceipt(captured) } : {}) };
      return endTool(state, inTake, { turn_id, entry, status, content, agent, fields, ...tree });
    }
    case "record-approval-rule": {
      const rules = setting(state, take, "approval_rules");
      const user: Context = { ...inTake, actor: { kind: "user" } };
      return changeSetting(state, user, { field: "approval_rules", value: [...rules, effect.rule] });
    }
    case "record-turn-finished": {
      const { turn_id, status, steps, usage, failure } = effect;
      const fields = { steps, usage, ...(failure ? { failure } : {}) };
      const { covered } = recording;
      const receipt = covered ? { receipt: turnReceipt(state, take, turn_id, covered) } : {};
      return finishTurn(state, inTake, { turn_id, status, fields, ...receipt, ...tree });
    }
  }
}

type ThinkingPart = Extract<Extract<RecordEffect, { kind: "record-step-part" }>["part"], { kind: "thinking" }>;

/** Text goes on in the last segment until a signature closes it. */
function withThinking(entry: Entry | undefined, part: ThinkingPart, { prefix, model }: Recording): JsonObject[] {
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
    ...(prefix === undefined ? {} : { prefix }),
    ...(model === undefined ? {} : { model }),
  };
  return [...before.slice(0, open ? -1 : undefined), segment];
}

/** A call's proof holds for the model and the messages it was made under. */
function signedCall(call: ToolCall, { prefix, model }: Recording): ToolCall {
  if (call.signature === undefined || prefix === undefined || model === undefined) return call;
  return { ...call, prefix, model, answer: callFingerprint(call, sha256) };
}

/** Signed thinking is bound to the answer that it led to, now that the answer is whole. */
function withAnswer(entry: Entry | undefined, tool_calls: readonly ToolCall[]): { thinking_segments?: JsonObject[] } {
  const segments = entry?.thinking_segments ?? [];
  if (!segments.some(({ signature = "" }) => signature !== "")) return {};
  const step = { content: entry?.content ?? "", tool_calls, thinking_segments: segments };
  const answer = answerFingerprint(step, sha256);
  return { thinking_segments: segments.map((segment) => ({ ...segment, answer })) };
}
