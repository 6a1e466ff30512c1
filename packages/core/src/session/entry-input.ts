import { type Check, fields, flag, list, object, oneOf, text, whole } from "../values/check.ts";
import { foreignProblem } from "../values/foreign.ts";
import { isObject, type Json } from "../values/json.ts";
import { idProblem, nameOf, nameProblem } from "../values/text.ts";
import type { Entry, Notice, ToolStatus } from "./entry.ts";

/**
 * An entry as a user, a hook or an import supplies it: any of an entry's fields, and any other keys, which are kept.
 * The operation decides its position, never the input.
 */
export interface EntryInput {
  readonly id: string;
  readonly role?: string;
  readonly content?: string;
  readonly [key: string]: Json | undefined;
}

/** Describes the problem of an entry's fields, as the end of a sentence; undefined for valid fields. */
export function entryProblem(input: unknown): string | undefined {
  if (!isObject(input)) return `must be an object, not ${nameOf(input)}`;
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    const check = Object.hasOwn(ENTRY_CHECKS, name) ? ENTRY_CHECKS[name] : undefined;
    const problem = check?.(value);
    if (problem) return `${name} ${problem}`;
  }
  const foreign = foreignProblem(withoutUndefined(input));
  return foreign === undefined ? undefined : `${foreign.replace(/^\./, "")}`;
}

/** Makes a whole entry of an input without problems (see `entryProblem`). */
export function newEntry(
  input: EntryInput,
  given: { order: string; ts: string; role: string; turn_id?: string },
): Entry {
  const { order: _, turn_id: __, ...kept } = withoutUndefined(input) as EntryInput;
  return {
    role: given.role,
    content: "",
    ts: given.ts,
    collapsed: false,
    read_mode: false,
    ...kept,
    order: given.order,
    ...(given.turn_id === undefined ? {} : { turn_id: given.turn_id }),
  };
}

function withoutUndefined(input: object): object {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

const callId = text(256);

const STATUSES: readonly ToolStatus[] = [
  "pending",
  "running",
  "completed",
  "failed",
  "denied",
  "interrupted",
  "unknown",
];

const NOTICES: Readonly<Record<Notice["kind"], Check>> = {
  "outside-workspace": fields({ path: text() }),
  "git-directory": fields({ path: text() }),
  irreversible: fields({ what: text() }),
  unconfined: fields({ what: text() }),
};

const notice: Check = (value) =>
  fields({ kind: oneOf(Object.keys(NOTICES)) })(value) ?? NOTICES[(value as Notice).kind](value);

const paths = list(text());

export const ENTRY_CHECKS: Readonly<Record<string, Check>> = {
  id: idProblem,
  role: nameProblem,
  content: text(),
  ts: text(64),
  collapsed: flag,
  failed: flag,
  read_mode: flag,
  thinking_segments: list(
    fields({ text: text() }, { signature: text(), redacted: flag, model: text(), prefix: text() }),
  ),
  tool_calls: list(fields({ id: callId, name: callId, input: object })),
  tool_result: fields({ call_id: callId, name: callId, status: oneOf(STATUSES) }),
  usage: object,
  background: object,
  notices: list(notice),
  receipt: fields({}, { files_changed: paths, ignored_changed: paths, uncovered_changed: paths, omitted: whole(0) }),
  attached: list(
    fields({ kind: text(64), name: text(), digest: text(128) }, { media_type: text(64), problem: text() }),
  ),
};
