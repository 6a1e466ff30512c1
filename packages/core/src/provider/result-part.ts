import type { Entry, ToolStatus } from "../session/entry.ts";
import type { ToolResultPart } from "./message.ts";
import type { PairedCall } from "./pair-tools.ts";
import { type Repair, repair } from "./repair.ts";
import { sendableToolName } from "./sendable-name.ts";
import { quoted, roleLabel, saysSomething } from "./sendable-text.ts";

/**
 * The result that a call is sent with. Every call has one, because providers refuse a call without. If the conversation
 * holds none, or the tool did not end, the result says only what is certain, so that the model neither trusts nor
 * blindly repeats effects that may have happened (L9).
 */
export function resultPart({ call, entry, result, rerolled }: ResultInput): ResultOutcome {
  const { name } = call.call;
  const about = { type: "tool-result", call_id: call.id, name: sendableToolName(name) } as const;
  if (!result?.tool_result) {
    const output = `No result is known for this call: ${rerolled ? became(rerolled) : GONE}`;
    const ids = rerolled ? [entry.id, rerolled.id] : [entry.id];
    return {
      part: { ...about, output, is_error: true, entry_id: entry.id },
      repair: repair("result-missing", ids, name),
    };
  }

  const { status } = result.tool_result;
  const said = saysSomething(result.content) ? result.content.toWellFormed() : undefined;
  if (status === "completed" || status === "failed") {
    const silence = status === "completed" ? "(no output)" : "The tool failed and said nothing.";
    return { part: { ...about, output: said ?? silence, is_error: status === "failed", entry_id: result.id } };
  }
  const known = knownOf(status);
  const output = said === undefined ? known : `${known}\nWhat is known of its output:\n${said}`;
  return {
    part: { ...about, output, is_error: true, entry_id: result.id },
    repair: repair("result-unfinished", [entry.id, result.id], name, status),
  };
}

interface ResultInput {
  readonly call: PairedCall;
  /** The entry that makes the call. */
  readonly entry: Entry;
  readonly result: Entry | undefined;
  /** The entry that was the result until its role was changed. */
  readonly rerolled: Entry | undefined;
}

interface ResultOutcome {
  readonly part: ToolResultPart;
  readonly repair?: Repair;
}

const GONE = "it was removed from the conversation or never arrived. The tool may or may not have run.";

function became(rerolled: Entry): string {
  return `it was made into a text of ${roleLabel(rerolled.role)} in this conversation.`;
}

function knownOf(status: string): string {
  const known: string | undefined = Object.hasOwn(KNOWN, status) ? KNOWN[status as keyof typeof KNOWN] : undefined;
  return known ?? `The tool's state is ${quoted(status)}; it is not known whether it has run.`;
}

const KNOWN: Record<Exclude<ToolStatus, "completed" | "failed">, string> = {
  pending: "The tool was not started.",
  running: "The tool was started and has not ended; it may have done some of its work.",
  denied: "This call was not allowed, so the tool was not run.",
  interrupted: "The tool was interrupted before it ended; it may have done some of its work.",
  unknown: "The tool was running when the process was killed; nobody knows how far it got.",
};
