import { readdirSync, unlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { entries, type State, type TakeId } from "@retake/core";
import { realPathIn } from "@retake/workspace";
import { STAGED_WRITE } from "../tools/replace-file.ts";

/**
 * Removes the temporary files that a killed `write` or `edit` of a turn left beside its file. No capture contains such
 * a file, so no undo would remove it.
 */
export function removeStagedWrites(root: string, state: State, take: TakeId, turn: string): void {
  for (const directory of writtenDirectories(root, state, take, turn)) {
    for (const name of namesIn(root, directory)) if (name.startsWith(STAGED_WRITE)) unlinkSync(join(directory, name));
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

/** Empty when the directory does not exist, or when a link leads elsewhere. */
function namesIn(root: string, directory: string): string[] {
  try {
    return realPathIn(root, directory) === directory ? readdirSync(directory) : [];
  } catch {
    return [];
  }
}
