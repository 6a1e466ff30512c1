import type { CallFacts, PathFact } from "@retake/core";
import { factOf } from "../locate-path.ts";
import type { Place } from "../tool.ts";
import { irreversibleEffect } from "./irreversible-effects.ts";
import { listPrograms } from "./list-programs.ts";
import { type PathInProgram, pathsInPrograms } from "./paths-in-programs.ts";

/** What a command line would touch, as far as reading it tells. */
export function examineCommand(command: string, place: Place): CallFacts {
  const programs = listPrograms(command);
  const { found, whole } = pathsInPrograms(programs, place);
  const effects = [
    ...programs.map(irreversibleEffect),
    ...found.map(changeElsewhere),
    whole ? undefined : "names more paths than were looked at",
  ];
  const irreversible = new Set(effects.filter((effect) => effect !== undefined));
  return { writes: true, command, paths: distinct(found), irreversible: [...irreversible] };
}

function changeElsewhere({ located: { place, path }, writes, by }: PathInProgram): string | undefined {
  if (!writes || place === "workspace") return undefined;
  const where = place === "outside" ? "outside the workspace" : "in a .git directory";
  return `${by === "" ? "writes" : `${by}: changes`} ${where}: ${path}`;
}

function distinct(paths: readonly PathInProgram[]): PathFact[] {
  const byPath = new Map(paths.map(({ located }) => [located.path, factOf(located)]));
  return [...byPath.values()];
}
