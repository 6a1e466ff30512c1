import { type Check, fields, flag, list, object, oneOf, text, whole } from "../values/check.ts";
import { equal, type Json, type JsonObject } from "../values/json.ts";
import { idProblem, nameProblem } from "../values/text.ts";
import type { RecordValue } from "./diff.ts";
import { DEFAULT_ROLES, type Entry } from "./entry.ts";
import type { GroupRecord } from "./group-record.ts";
import type { TurnReceipt } from "./receipt.ts";
import { keyOf, kindOf, type RecordId, type SpaceKind, type TakeId, type ThreadKind } from "./record.ts";
import { DEFAULT_SETTINGS, isSettingField, settingProblem } from "./setting.ts";

/**
 * The kinds of records, declared once: what a record of each kind holds, what it may hold, when it reads as if it were
 * not there, how it is taken back, and what becomes of it elsewhere. Whoever treats records of one kind in its own way
 * asks here.
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

export interface Take {
  readonly id: TakeId;
  readonly name: string;
  readonly deleted: boolean;
  /** The version that it was made with. */
  readonly since: number;
}

export interface Turn {
  readonly id: string;
  /** Counted in the thread, from 1; never given twice. */
  readonly number: number;
  /** The operation that its group began with, and the version of that. */
  readonly group: string;
  readonly version: number;
  readonly prompt_entry: string;
  readonly prompt: string;
  /** `cut-off`: the model's limit of tokens; `refused`: it declined; `step-limit`: the turn's steps were used up. */
  readonly status: "running" | "finished" | "cut-off" | "refused" | "step-limit" | "interrupted" | "failed";
  readonly started_at: string;
  readonly ended_at?: string;
  readonly model?: string;
  /** The workspace's tree when it began and when it ended. */
  readonly tree_before?: string;
  readonly tree_after?: string;
  /** What it did besides the conversation; not there while it runs. */
  readonly receipt?: TurnReceipt & JsonObject;
  readonly [key: string]: Json | undefined;
}

export interface Kind {
  /** What is wrong with a value; undefined when nothing is. */
  readonly check: (key: string, value: JsonObject) => string | undefined;
  /** A value that reads as if there were no record. It is not stored, so that there is one form for "never set". */
  readonly isDefault?: (key: string, value: JsonObject) => boolean;
  /**
   * How undo, redo and revert treat it. `merge`: three values, field by field. `if-unchanged`: only where nothing came
   * since, and never a conflict. `files`: by whoever can look into trees. `groups`: by halves. `never`: it stays.
   */
  readonly undo: "merge" | "if-unchanged" | "files" | "groups" | "never";
  /** Whether a jump brings back what it was. */
  readonly jump: boolean;
  /** Whether a reset of the session clears it. */
  readonly reset: boolean;
  /** `local`: true of the machine that wrote it alone; a merge drops what comes from another one. */
  readonly place: "synced" | "local";
}

const plain = { undo: "merge", jump: true, reset: true, place: "synced" } as const;
const listed: Kind = { ...plain, check: checked(fields({ path: text(4096), order: text() })) };

export const KINDS: Readonly<Record<SpaceKind | ThreadKind, Kind>> = {
  entry: { ...plain, check: checked(fields({ id: idProblem, order: text(), role: text(), content: text() })) },
  setting: {
    ...plain,
    check: (key, { value }) => (isSettingField(key) ? settingProblem(key, value) : undefined),
    isDefault: (key, { value }) => isSettingField(key) && equal(value, DEFAULT_SETTINGS[key] as Json),
  },
  roles: {
    ...plain,
    check: checked(fields({ list: list(nameProblem) })),
    isDefault: (_, value) => equal(value["list"], DEFAULT_ROLES),
  },
  file: listed,
  context: listed,
  screenshot: listed,
  agent: { ...plain, check: checked(object), undo: "never", jump: false, place: "local" },
  workspace: { ...plain, check: checked(fields({ tree: text(256) })), undo: "files", jump: false, reset: false },
  turn: { ...plain, check: checked(fields({ id: idProblem, prompt: text(), status: text(64) })) },
  /** What was sent last is of the last turn. */
  discussion: { ...plain, check: checked(object), undo: "if-unchanged" },
  group: {
    ...plain,
    check: checked(fields({ id: idProblem, role: oneOf(["step", "whole", "turn", "undo"]) })),
    undo: "groups",
    jump: false,
    reset: false,
  },
  thread: { ...plain, check: checked(object) },
  take: { ...plain, check: checked(fields({ id: idProblem, name: nameProblem, deleted: flag })) },
  active: { ...plain, check: checked(fields({ take: idProblem })) },
  save: { ...plain, check: checked(object) },
  git: { ...plain, check: checked(object) },
  /** Numbers that were given are never given again. */
  numbers: { ...plain, check: checked(fields({ turns: whole(0) })), undo: "never", jump: false },
};

export function kindFor(id: RecordId): Kind {
  return KINDS[kindOf(id)];
}

/** The value as it is stored: none where it reads as if there were none. */
export function storedValue(id: RecordId, value: RecordValue): RecordValue {
  return value !== undefined && kindFor(id)?.isDefault?.(keyOf(id), value) ? undefined : value;
}

function checked(check: Check): Kind["check"] {
  return (_, value) => check(value);
}
