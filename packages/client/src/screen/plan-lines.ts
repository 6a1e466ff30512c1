/** A plan, or its outcome, in words: the same on every screen. */
import { grouped } from "@retake/core";
import type { Client } from "../create-client.ts";

type Answer = Awaited<ReturnType<Client["undo"]>>;

/** The outcome of a change, or with `dry_run` the expected one; a change without files has fewer fields. */
export type TakenBack = {
  readonly [Field in
    | "op_id"
    | "version"
    | "description"
    | "message"
    | "taken_back_by"
    | "taken_back_with"
    | "turns_undone"
    | "messages_removed"
    | "turns_returned"
    | "messages_returned"
    | "files"
    | "files_reverted"
    | "conflicts"
    | "receipt"
    | "plan_id"
    | "entries"]?: Answer[Field] | undefined;
};

export type PlanLine = {
  readonly kind: "restored" | "removed" | "merged" | "kept" | "conflict" | "stays" | "uncovered";
  /** A path, or a sentence for an effect that stays. */
  readonly subject: string;
  readonly reason?: string;
};

export function planLines(plan: TakenBack): PlanLine[] {
  const { files = [], conflicts = [], receipt } = plan;
  const inConflict = new Set(conflicts.map(({ path }) => path));
  return [
    ...conflicts.map(
      ({ path, kind, name }): PlanLine => ({
        kind: "conflict",
        subject: name ?? path,
        reason: CONFLICTS[kind] ?? kind,
      }),
    ),
    ...files.flatMap(({ path, became, reason }): PlanLine[] => {
      if (inConflict.has(path)) return [];
      return [{ kind: LINE_KINDS[became] ?? "restored", subject: path, ...(reason === undefined ? {} : { reason }) }];
    }),
    ...(receipt?.effects ?? []).map(({ what, tool }): PlanLine => ({ kind: "stays", subject: what, reason: tool })),
    ...(receipt?.uncovered ?? []).map((path): PlanLine => ({ kind: "uncovered", subject: path })),
  ];
}

type Counted = Pick<TakenBack, "turns_undone" | "turns_returned" | "messages_removed" | "messages_returned"> & {
  readonly files_reverted?: readonly string[] | undefined;
};

/** `1 turn, 4 entries, 2 files`; empty where a plan changes none of them. */
export function planCounts({ files_reverted = [], ...plan }: Counted): string {
  const turns = (plan.turns_undone ?? 0) + (plan.turns_returned ?? 0);
  const entries = (plan.messages_removed ?? 0) + (plan.messages_returned ?? 0);
  return [
    ...(turns > 0 ? [plural(turns, "turn")] : []),
    ...(entries > 0 ? [plural(entries, "entry", "entries")] : []),
    ...(files_reverted.length > 0 ? [plural(files_reverted.length, "file")] : []),
  ].join(", ");
}

/** Whether a person should see the plan before it is carried out: something is kept, in conflict, or stays done. */
export function needsLook(plan: TakenBack): boolean {
  return planLines(plan).some(({ kind }) => kind !== "restored" && kind !== "removed" && kind !== "merged");
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** The kinds of conflicts, in words that follow the path. */
export const CONFLICTS: Readonly<Record<string, string>> = {
  overlap: "you and the agent changed the same lines",
  binary: "it is not text, and you changed it since",
  "deleted-by-user": "you deleted it since",
  "created-by-user": "you made a file with this name since",
  type: "it is another kind of file now",
  "other-thread": "another thread changed the same lines",
  "entry-edited": "this entry was edited since",
};

const LINE_KINDS: Readonly<Record<string, PlanLine["kind"]>> = {
  restored: "restored",
  removed: "removed",
  merged: "merged",
  markers: "merged",
  replaced: "restored",
  kept: "kept",
  "put-away": "kept",
};
