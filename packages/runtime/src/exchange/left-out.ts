import {
  changeSettings,
  type Json,
  liveTakes,
  pathsIn,
  recordOf,
  type State,
  spaceId,
  type TakeId,
} from "@retake/core";
import { OutsideFiles } from "../runner/outside-files.ts";
import type { ImportPlace, Workspace } from "../workspace/open-workspace.ts";
import { LISTS } from "./portable-thread.ts";

/**
 * The parts that an import leaves out: the sender of a thread decides neither which tools run here nor which files are
 * read.
 */
export interface LeftOut {
  readonly what: "rule" | (typeof LISTS)[number];
  /** For a file: the path outside the workspace. */
  readonly path?: string;
}

export function outsideFilesOf({ store, root }: Workspace): OutsideFiles {
  return new OutsideFiles(store.directories, root);
}

/** Separates the members of a list that lead out of the workspace. */
export function splitOutside<Member extends { readonly path?: unknown }>(
  outside: OutsideFiles,
  what: (typeof LISTS)[number],
  members: readonly Member[],
): { readonly inside: readonly Member[]; readonly leftOut: readonly LeftOut[] } {
  const strays = new Set(members.filter(({ path }) => typeof path === "string" && outside.find(path) === undefined));
  return {
    inside: members.filter((member) => !strays.has(member)),
    leftOut: [...strays].map(({ path }) => ({ what, path: String(path) })),
  };
}

/**
 * Takes files outside of the workspace out of a thread whose operations came from elsewhere. An undo of that brings their
 * names back and no right. Rules were a setting of threads once (decision 23): they are counted, and mean nothing.
 */
export function dropRights({ threads, identity }: ImportPlace, outside: OutsideFiles, thread: string): LeftOut[] {
  const found = threads.read(thread, ({ state }) =>
    liveTakes(state).map(({ id: take }) => {
      const rules = oldRules(state, take).map(() => ({ what: "rule" as const }));
      const lists = LISTS.map(
        (list) => [list, splitOutside(outside, list, pathsIn(state, take, list))] as const,
      ).filter(([, { leftOut }]) => leftOut.length > 0);
      return { take, rules, lists };
    }),
  );
  for (const { take, lists } of found) {
    if (lists.length === 0) continue;
    const context = { ...identity.context({ kind: "system" }), take };
    const kept = Object.fromEntries(lists.map(([list, { inside }]) => [list, inside]));
    threads.change(thread, ({ state }) => changeSettings(state, context, { settings: {}, lists: kept }));
  }
  return found.flatMap(({ rules, lists }) => [...rules, ...lists.flatMap(([, { leftOut }]) => leftOut)]);
}

function oldRules(state: State, take: TakeId): readonly Json[] {
  const rules = recordOf(state, spaceId(take, "setting", "approval_rules"))?.["value"];
  return Array.isArray(rules) ? rules : [];
}
