import { lstatSync, readdirSync } from "node:fs";
import type { BytePath } from "../model/model.ts";
import { addParents, parentOf } from "../model/path-bytes.ts";
import type { Decision } from "./decide-path.ts";
import type { Directories } from "./directories.ts";
import type { Sighting } from "./read-disk.ts";

/**
 * Turns every decision that conflicts with others into `keep`, until the rest fit: the parents of a file must be
 * directories, and a directory in the place of a file must become empty.
 */
export function fitTogether(
  directories: Directories,
  sightings: ReadonlyMap<BytePath, Sighting>,
  decisions: Map<BytePath, Decision>,
): void {
  for (let settled = false; !settled; ) {
    settled = true;
    const outlook = new Outlook(directories, decisions);
    for (const [path, decision] of decisions) {
      if (decision.kind !== "set" || decision.state === undefined) continue;
      directories.trim();
      const sighting = sightings.get(path);
      const directoryNow = sighting?.state?.kind === "directory" || sighting?.obstacle?.kind === "populated";
      if (decision.state.kind === "directory") {
        // A directory that holds something exists, which satisfies a request for an empty directory.
        if (sighting?.obstacle?.kind !== "populated" || outlook.emptied(path)) {
          if (outlook.reachable(path, sighting)) continue;
        } else {
          decisions.set(path, { kind: "leave" });
          settled = false;
          continue;
        }
      } else if (outlook.reachable(path, sighting) && (!directoryNow || outlook.emptied(path))) continue;
      decisions.set(path, { kind: "keep", reason: "type" });
      settled = false;
    }
  }
  leaveEmptied(directories, sightings, decisions);
}

/** A left-out directory that comes or goes with the files of this restore alone is not kept: nothing else is in it. */
function leaveEmptied(
  directories: Directories,
  sightings: ReadonlyMap<BytePath, Sighting>,
  decisions: Map<BytePath, Decision>,
): void {
  const leftOut = [...decisions.keys()].filter((path) => {
    const decision = decisions.get(path);
    return decision?.kind === "keep" && decision.reason === "uncovered";
  });
  if (leftOut.length === 0) return;
  const outlook = new Outlook(directories, decisions);
  const around = new Set<BytePath>();
  for (const [path, { kind }] of decisions) if (kind === "set") addParents(path, around);
  for (const path of leftOut) {
    if (!around.has(path)) continue;
    const { state, obstacle } = sightings.get(path) ?? {};
    const isMissing = state === undefined && obstacle === undefined;
    if (isMissing || (obstacle?.kind === "populated" && outlook.emptied(path))) decisions.set(path, { kind: "leave" });
  }
}

/** The workspace as it will be after the decisions are carried out. */
class Outlook {
  readonly #directories: Directories;
  readonly #decisions: ReadonlyMap<BytePath, Decision>;
  /** Directories that something will be put into. */
  readonly #needed = new Set<BytePath>();

  constructor(directories: Directories, decisions: ReadonlyMap<BytePath, Decision>) {
    this.#directories = directories;
    this.#decisions = decisions;
    for (const [path, decision] of decisions) {
      if (decision.kind !== "set" || decision.state === undefined) continue;
      addParents(path, this.#needed);
    }
  }

  /** Whether every parent of a path will be a directory. */
  reachable(path: BytePath, sighting: Sighting | undefined): boolean {
    for (let at = parentOf(path); at !== ""; at = parentOf(at)) {
      const decision = this.#decisions.get(at);
      if (decision?.kind === "set" && decision.state && decision.state.kind !== "directory") return false;
    }
    const obstacle = sighting?.obstacle;
    if (obstacle?.kind !== "blocked") return true;
    const blocking = this.#decisions.get(obstacle.by);
    return blocking?.kind === "set" && (blocking.state === undefined || blocking.state.kind === "directory");
  }

  /** Whether the directory that is there now will be empty. */
  emptied(path: BytePath): boolean {
    return !this.#needed.has(path) && this.#losses(path) !== undefined;
  }

  /** How many files will be deleted in a directory, if it holds nothing else; otherwise `undefined`. */
  #losses(directory: BytePath): number | undefined {
    const found = this.#directories.find(directory);
    if (found.kind !== "directory") return 0;
    let losses = 0;
    for (const entry of readdirSync(found.directory.place("."), { encoding: "buffer" })) {
      const name = entry.toString("latin1");
      const path = `${directory}/${name}`;
      const decision = this.#decisions.get(path);
      const deleted = decision?.kind === "set" && decision.state === undefined;
      if (lstatSync(found.directory.place(name)).isDirectory()) {
        if (this.#needed.has(path) || (decision?.kind === "set" && !deleted)) return undefined;
        const inside = this.#losses(path);
        // An empty directory that is not part of the plan stays; one that the plan empties is removed.
        if (inside === undefined || (inside === 0 && !deleted)) return undefined;
        losses += inside + (deleted ? 1 : 0);
      } else if (deleted) losses += 1;
      else return undefined;
    }
    return losses;
  }
}
