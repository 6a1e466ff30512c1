import { type Check, type Checks, flag, list, maybe, object, oneOf, text, whole } from "../values/check.ts";
import { equal, type Json, type JsonObject } from "../values/json.ts";
import { idProblem, nameProblem } from "../values/text.ts";
import type { RecordValue } from "./diff.ts";
import { DEFAULT_ROLES, type Entry } from "./entry.ts";
import { ENTRY_CHECKS } from "./entry-input.ts";
import { type GroupRecord, isGroupKey } from "./group-record.ts";
import { receiptProblem, type TurnReceipt } from "./receipt.ts";
import { keyOf, kindOf, type RecordId, type SpaceKind, type TakeId, type ThreadKind } from "./record.ts";
import { DEFAULT_SETTINGS, isSettingField, SETTING_CHECKS } from "./setting.ts";

/**
 * The kinds of records, declared once: what a record of each kind holds, which values are valid, which value means
 * "never set", how undo treats it, and whether other machines get it. Code that treats records by kind reads it here.
 */
export interface RecordTypes {
  entry: Entry;
  setting: { readonly value: Json; readonly returned?: boolean };
  roles: { readonly list: readonly string[] };
  file: JsonObject;
  context: JsonObject;
  screenshot: JsonObject;
  agent: { readonly turn_id: string; readonly state: JsonObject };
  workspace: { readonly tree: string };
  turn: Turn;
  discussion: JsonObject;
  group: GroupRecord;
  thread: JsonObject;
  take: Take;
  active: { readonly take: TakeId };
  save: JsonObject;
  git: JsonObject;
  numbers: { readonly turns: number };
}

/** A record as the type that its kind declares. Every record was checked when it was made or read. */
export function recordAs<K extends keyof RecordTypes>(_kind: K, value: JsonObject): RecordTypes[K] {
  return value as unknown as RecordTypes[K];
}

export interface Take {
  readonly id: TakeId;
  readonly name: string;
  readonly deleted: boolean;
  /** The version of its creation. */
  readonly since: number;
}

export interface Turn {
  readonly id: string;
  /** The turn's number in the thread, from 1; never used twice. */
  readonly number: number;
  /** The operation that began its group, and the version of that operation. */
  readonly group: string;
  readonly version: number;
  readonly prompt_entry: string;
  readonly prompt: string;
  /**
   * `cut-off`: the model's limit of tokens was reached. `refused`: the model declined. `step-limit`: all steps of the
   * turn were used.
   */
  readonly status: "running" | "finished" | "cut-off" | "refused" | "step-limit" | "interrupted" | "failed";
  readonly started_at: string;
  readonly ended_at?: string;
  readonly model?: string;
  /** The workspace's tree at the start and at the end of the turn. */
  readonly tree_before?: string;
  readonly tree_after?: string;
  /** The turn's effects besides the conversation; absent while it runs. */
  readonly receipt?: TurnReceipt & JsonObject;
  readonly [key: string]: Json | undefined;
}

export interface Kind {
  /** The checks of the fields that code relies on. Records from elsewhere are checked by them (`record-problem.ts`). */
  readonly fields: (key: string) => Checks;
  /**
   * Whether a value means the same as no record. Such a value is not stored, so that there is one form for "never set".
   */
  readonly isDefault?: (key: string, value: JsonObject) => boolean;
  /**
   * How undo, redo and revert treat it. `merge`: by three values, field by field. `if-unchanged`: only when nothing
   * changed it later, and never a conflict. `files`: by the runtime, which can read trees. `groups`: by halves.
   * `never`: it stays.
   */
  readonly undo: "merge" | "if-unchanged" | "files" | "groups" | "never";
  /** The field with a text of several lines, if any: two versions of it can be merged with markers. */
  readonly text?: (key: string) => string | undefined;
  /** Whether a jump restores it. */
  readonly jump: boolean;
  /** Whether a reset clears it. */
  readonly reset: boolean;
  /** `local`: valid only on the machine that wrote it; a merge drops it when it comes from another machine. */
  readonly place: "synced" | "local";
}

const PLAIN = { undo: "merge", jump: true, reset: true, place: "synced" } as const;
const LISTED: Kind = { ...PLAIN, fields: named({ order: text() }, "path", text(4096)) };
const GROUP_FIELDS: Checks = {
  id: idProblem,
  role: oneOf(["step", "whole", "turn", "undo"]),
  ...optional({ turn_id: idProblem, left: oneOf(["conversation", "files"]), until: whole(0) }),
};
/** More turns than any thread has. A larger number would soon be too large to count on from. */
export const MOST_TURNS = 1_000_000_000;

export const KINDS: Readonly<Record<SpaceKind | ThreadKind, Kind>> = {
  entry: {
    ...PLAIN,
    fields: named({ ...optional(ENTRY_CHECKS), order: text(), role: text(), content: text() }),
    text: () => "content",
  },
  setting: {
    ...PLAIN,
    fields: (key) => (isSettingField(key) ? { value: SETTING_CHECKS[key] } : {}),
    text: (key) => (key === "model" ? undefined : "value"),
    isDefault: (key, { value }) => isSettingField(key) && equal(value, DEFAULT_SETTINGS[key] as Json),
  },
  roles: {
    ...PLAIN,
    fields: all({ list: list(nameProblem) }),
    isDefault: (_, value) => equal(value["list"], DEFAULT_ROLES),
  },
  file: LISTED,
  context: LISTED,
  screenshot: LISTED,
  agent: { ...PLAIN, fields: all({ turn_id: idProblem, state: object }), undo: "never", jump: false, place: "local" },
  workspace: { ...PLAIN, fields: all({ tree: text(256) }), undo: "files", jump: false, reset: false },
  turn: {
    ...PLAIN,
    fields: named({
      prompt: text(),
      status: text(64),
      ...optional({
        number: whole(1, MOST_TURNS),
        group: idProblem,
        version: whole(1),
        prompt_entry: text(128),
        started_at: text(64),
        ended_at: text(64),
        model: nameProblem,
        receipt: receiptProblem,
        tree_before: text(256),
        tree_after: text(256),
      }),
    }),
  },
  /** It describes the last request, so it goes with the last turn. */
  discussion: { ...PLAIN, fields: all({}), undo: "if-unchanged" },
  group: {
    ...PLAIN,
    fields: (key) => (isGroupKey(key) ? GROUP_FIELDS : { id: () => "is of a group that names no version" }),
    undo: "groups",
    jump: false,
    reset: false,
  },
  thread: { ...PLAIN, fields: all({ title: maybe(text()) }) },
  take: { ...PLAIN, fields: named({ name: nameProblem, deleted: flag, since: maybe(whole(0)) }) },
  active: { ...PLAIN, fields: all({ take: idProblem }) },
  save: { ...PLAIN, fields: all({}) },
  git: { ...PLAIN, fields: all({}) },
  /** A number that was given is never given again. */
  numbers: { ...PLAIN, fields: all({ turns: whole(0, MOST_TURNS) }), undo: "never", jump: false },
};

export function kindFor(id: RecordId): Kind {
  return KINDS[kindOf(id)];
}

/** The value to store: undefined when it means the same as no record. */
export function storedValue(id: RecordId, value: RecordValue): RecordValue {
  return value !== undefined && kindFor(id)?.isDefault?.(keyOf(id), value) ? undefined : value;
}

function all(checks: Checks): Kind["fields"] {
  return () => checks;
}

/** Of a record that is found by the id, or the path, that it holds. */
function named(checks: Checks, field = "id", check: Check = idProblem): Kind["fields"] {
  return (key) => ({ ...checks, [field]: (value) => (value === key ? check(value) : "is not the one of the record") });
}

function optional(checks: Checks): Record<string, Check> {
  return Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, maybe(check)]));
}
