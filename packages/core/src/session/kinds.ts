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
  /** Describes the problem of a value; undefined for a valid value. */
  readonly check: (key: string, value: JsonObject) => string | undefined;
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
  /** Whether a jump restores it. */
  readonly jump: boolean;
  /** Whether a reset clears it. */
  readonly reset: boolean;
  /** `local`: valid only on the machine that wrote it; a merge drops it when it comes from another machine. */
  readonly place: "synced" | "local";
}

const PLAIN = { undo: "merge", jump: true, reset: true, place: "synced" } as const;
const LISTED: Kind = { ...PLAIN, check: checked(fields({ path: text(4096), order: text() })) };

export const KINDS: Readonly<Record<SpaceKind | ThreadKind, Kind>> = {
  entry: { ...PLAIN, check: checked(fields({ id: idProblem, order: text(), role: text(), content: text() })) },
  setting: {
    ...PLAIN,
    check: (key, { value }) => (isSettingField(key) ? settingProblem(key, value) : undefined),
    isDefault: (key, { value }) => isSettingField(key) && equal(value, DEFAULT_SETTINGS[key] as Json),
  },
  roles: {
    ...PLAIN,
    check: checked(fields({ list: list(nameProblem) })),
    isDefault: (_, value) => equal(value["list"], DEFAULT_ROLES),
  },
  file: LISTED,
  context: LISTED,
  screenshot: LISTED,
  agent: { ...PLAIN, check: checked(object), undo: "never", jump: false, place: "local" },
  workspace: { ...PLAIN, check: checked(fields({ tree: text(256) })), undo: "files", jump: false, reset: false },
  turn: { ...PLAIN, check: checked(fields({ id: idProblem, prompt: text(), status: text(64) })) },
  /** It describes the last request, so it goes with the last turn. */
  discussion: { ...PLAIN, check: checked(object), undo: "if-unchanged" },
  group: {
    ...PLAIN,
    check: checked(fields({ id: idProblem, role: oneOf(["step", "whole", "turn", "undo"]) })),
    undo: "groups",
    jump: false,
    reset: false,
  },
  thread: { ...PLAIN, check: checked(object) },
  take: { ...PLAIN, check: checked(fields({ id: idProblem, name: nameProblem, deleted: flag })) },
  active: { ...PLAIN, check: checked(fields({ take: idProblem })) },
  save: { ...PLAIN, check: checked(object) },
  git: { ...PLAIN, check: checked(object) },
  /** A number that was given is never given again. */
  numbers: { ...PLAIN, check: checked(fields({ turns: whole(0) })), undo: "never", jump: false },
};

export function kindFor(id: RecordId): Kind {
  return KINDS[kindOf(id)];
}

/** The value to store: undefined when it means the same as no record. */
export function storedValue(id: RecordId, value: RecordValue): RecordValue {
  return value !== undefined && kindFor(id)?.isDefault?.(keyOf(id), value) ? undefined : value;
}

function checked(check: Check): Kind["check"] {
  return (_, value) => check(value);
}
