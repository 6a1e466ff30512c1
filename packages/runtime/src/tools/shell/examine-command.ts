import type { CallFacts, PathFact } from "@retake/core";
import type { Confinement } from "../confine/confinement.ts";
import { factOf } from "../locate-path.ts";
import type { ToolRoots } from "../tool.ts";
import { irreversibleEffect } from "./irreversible-effects.ts";
import { listPrograms } from "./list-programs.ts";
import { type PathInProgram, pathsInPrograms } from "./paths-in-programs.ts";

/** The facts about a command line, as far as reading it tells. */
export function examineCommand(command: string, place: ToolRoots, confinement: Confinement): CallFacts {
  const programs = listPrograms(command);
  const { found, whole } = pathsInPrograms(programs, place);
  const confined = confinement.kind !== "none";
  const effects = [
    ...programs.filter(({ name }) => !(confined && ENDS_PROCESSES.has(name))).map(irreversibleEffect),
    ...found.filter((path) => !(confined && isTemporary(path))).map(changeElsewhere),
    whole ? undefined : "names more paths than were looked at",
  ];
  const irreversible = new Set(effects.filter((effect) => effect !== undefined));
  const how = confined ? { confined } : { confined, unconfined: confinement.reason };
  return { writes: true, command, ...how, paths: distinct(found), irreversible: [...irreversible] };
}

/** A confined command finds no processes but its own. */
const ENDS_PROCESSES: ReadonlySet<string> = new Set(["kill", "pkill", "killall"]);

/** A confined command has temporary directories of its own. */
function isTemporary({ located: { absolute } }: PathInProgram): boolean {
  return /^\/(?:tmp|var\/tmp|dev\/shm)(?:\/|$)/.test(absolute);
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
