import {
  type CaptureId,
  CaptureLog,
  type Change,
  compose,
  type Database,
  encodeChanges,
  encodeListing,
  type Hash,
  readCapture,
  sameState,
} from "@retake/workspace";
import { TreePaths } from "./tree-paths.ts";
import type { BundledTree } from "./tree-reader.ts";

/** Adds the trees of a bundle that operations name and that are missing here. Runs in the caller's transaction. */
export class TreeImport {
  readonly #database: Database;
  readonly #log: CaptureLog;
  readonly #need: (content: Content) => void;
  /** For each tree that was read: the nearest stored tree, and the changes since. */
  readonly #bases = new Map<CaptureId, { readonly stored: CaptureId | undefined; readonly since: readonly Change[] }>();
  #at: CaptureId | undefined;
  #paths = new TreePaths([]);

  /** `need` is called with the content of each file in the added trees that its parent does not have. */
  constructor(database: Database, need: (content: Content) => void) {
    this.#database = database;
    this.#log = new CaptureLog(database);
    this.#need = need;
  }

  add({ name, parent, from, kept, partial, changes }: BundledTree): void {
    const { stored, since } = this.#bases.get(from) ?? this.#base(from);
    const all = since.length === 0 ? changes : compose([since, changes]);
    const known = this.#log.has(name);
    if (!known && kept) this.#store(name, parent, stored, all, partial);
    this.#bases.set(name, known || kept ? { stored: name, since: [] } : { stored, since: all });
  }

  #store(
    id: CaptureId,
    follows: string,
    parent: CaptureId | undefined,
    given: readonly Change[],
    heldBack: boolean,
  ): void {
    if (this.#at !== parent || parent === undefined)
      this.#paths = new TreePaths(parent === undefined ? [] : readCapture(this.#database, parent).recorded());
    const fitted = given.map((change) => this.#paths.fit(change));
    const partial = heldBack || fitted.some((change, index) => change !== given[index]);
    const changes = fitted.filter(({ before, after }) => !sameState(before, after));
    const before = parent === undefined ? { files: 0, bytes: 0, distance: 0 } : this.#log.totals(parent);
    const totals = { files: before.files, bytes: before.bytes };
    for (const change of changes) {
      count(totals, change.before, -1);
      count(totals, change.after, 1);
      const { after } = change;
      if (after?.kind === "file" || after?.kind === "link") this.#need(after);
    }
    this.#paths.apply(changes);
    this.#at = id;
    const distance = before.distance + changes.length;
    const whole = parent === undefined || distance > Math.max(SHORTEST_DISTANCE, totals.files);
    const receipt = {
      ...totals,
      changed: changes.length,
      ignoredChanged: [],
      leftOutChanged: [],
      foundBy: "import",
      partial,
    };
    this.#log.add({
      id,
      workspace: undefined,
      parent,
      follows,
      createdAt: Date.now(),
      ...totals,
      changes: encodeChanges(parent === undefined ? [] : changes),
      distance: whole ? 0 : distance,
      listing: whole ? encodeListing(this.#paths.states) : undefined,
      receipt: JSON.stringify(receipt),
    });
  }

  /** A tree that was stored before. */
  #base(from: CaptureId): { readonly stored: CaptureId | undefined; readonly since: readonly Change[] } {
    return { stored: from !== "" && this.#log.has(from) ? from : undefined, since: [] };
  }
}

/** The content of a file or a link. */
export interface Content {
  readonly hash: Hash;
  readonly size: number;
}

/** As for captures, so that reading one does not fold all imported trees. */
const SHORTEST_DISTANCE = 2_000;

function count(totals: { files: number; bytes: number }, state: Change["after"], sign: 1 | -1): void {
  if (state?.kind !== "file" && state?.kind !== "link") return;
  totals.files += sign;
  totals.bytes += sign * state.size;
}
