import { readdirSync, realpathSync, unlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { entries, type State, type TakeId } from "@retake/core";
import { STAGED_WRITE } from "../tools/replace-file.ts";

/**
 * Removes what a killed `write` or `edit` of a turn had begun to write beside its file. No capture holds such a
 * file, so no undo would take it away.
 */
export function removeStagedWrites(root: string, state: State, take: TakeId, turn: string): void {
  for (const directory of writtenDirectories(root, state, take, turn)) {
    for (const name of namesIn(directory)) if (name.startsWith(STAGED_WRITE)) unlinkSync(join(directory, name));
  }
}

function writtenDirectories(root: string, state: State, take: TakeId, turn: string): Set<string> {
  const calls = [...entries(state, take)].flatMap((entry) => (entry.turn_id === turn ? (entry.tool_calls ?? []) : []));
  return new Set(
    calls.flatMap(({ input }) => {
      const path = input["path"];
      return typeof path === "string" ? [dirname(resolve(root, path))] : [];
    }),
  );
}

/** None where it is not there, or where a link leads elsewhere. */
function namesIn(directory: string): string[] {
  try {
    return realpathSync(directory) === directory ? readdirSync(directory) : [];
  } catch {
    return [];
  }
}
