import { type Json, localId, type Operation } from "@retake/core";

/** The trees that an operation names: those of the files of takes, and those at the start and end of turns. */
export function* namedTrees({ diff }: Operation): Generator<string> {
  for (const change of diff.changes) {
    for (const field of treeFields(localId(change.id))) {
      const values =
        change.kind === "update"
          ? sidesOf(change.fields[field])
          : [change.kind === "create" ? change.after[field] : change.before[field]];
      for (const name of values) if (typeof name === "string" && name !== "") yield name;
    }
  }
}

function treeFields(record: string): readonly string[] {
  if (record === "workspace") return ["tree"];
  return record.startsWith("turn:") ? ["tree_before", "tree_after"] : [];
}

function sidesOf(field: object | undefined): (Json | undefined)[] {
  const { before, after } = (field ?? {}) as { before?: Json; after?: Json };
  return [before, after];
}
