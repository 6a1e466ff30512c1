/**
 * Captures single paths in directories that are left out: those that a tool of the agent's own writes (F24).
 *
 * The scan never enters such a directory, so these paths are looked at one by one after it. A path stays claimed while
 * no scan covers it; a path that was deleted together with its directory stays claimed too, because a redo brings it
 * back.
 */
import type { Stats } from "node:fs";
import type { BytePath } from "../model/model.ts";
import { diskPath, parentOf } from "../model/path-bytes.ts";
import { pathProblem } from "../model/path-rules.ts";
import { type RecordedState, sameState } from "../model/state-codec.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { isReserved, look, looksSame, type ScanLimits } from "./entry-looks.ts";
import type { Verdict } from "./ignore-rules.ts";
import { joinPath, type Listing, nameOf } from "./listing.ts";
import { readFile, readLink } from "./read-content.ts";
import { isRacy, NUMBERS_PER_ENTRY, putStat } from "./stat-table.ts";

/** A claimed path as it was last captured. */
export interface Claim {
  /** Undefined: nothing was there. */
  readonly state: RecordedState | undefined;
  /** The numbers of its `lstat`; undefined when they are not known, so that it is read again. */
  readonly numbers: Float64Array | undefined;
  /** Whether a capture contains the state; before the first change only the claim does. */
  readonly captured: boolean;
}

export interface ClaimedPathsOptions {
  readonly root: BytePath;
  readonly limits: ScanLimits;
  readonly objects: ObjectStore;
  readonly listing: Listing;
}

/** The claims to store, and, as undefined, the claims to drop. */
export type ClaimChanges = ReadonlyMap<BytePath, Claim | undefined>;

/**
 * Before a scan: another process may have claimed paths since, or changed what is claimed. Returns the paths that are
 * in no capture yet.
 */
export function claimAll({ claims }: Listing, known: ReadonlyMap<BytePath, Claim>): Set<BytePath> {
  claims.clear();
  for (const [path, { state }] of known) claims.set(path, state);
  return new Set([...known].filter(([, { captured }]) => !captured).map(([path]) => path));
}

/** Brings the listing's claims up to date after a scan, and adds those of `named` that need one. */
export function lookAtClaims(
  options: ClaimedPathsOptions,
  known: ReadonlyMap<BytePath, Claim>,
  named: readonly BytePath[],
): ClaimChanges {
  const { listing } = options;
  const changes = new Map<BytePath, Claim | undefined>();
  for (const [path, claim] of known) {
    if (isScanned(listing, path)) {
      listing.claims.delete(path);
      changes.set(path, undefined);
      continue;
    }
    const now = lookAt(options, path, claim);
    if (now === claim) continue;
    const changed = !sameState(claim.state, now.state);
    changes.set(path, { ...now, captured: claim.captured || changed });
    if (changed) listing.touch(path, claim.state);
    listing.claims.set(path, now.state);
  }
  for (const path of named) {
    if (known.has(path) || !needsClaim(listing, path)) continue;
    const now = lookAt(options, path, undefined);
    changes.set(path, { ...now, captured: false });
    // Not touched: the state that it is claimed with is no change.
    listing.claims.set(path, now.state);
  }
  return changes;
}

/** Whether the scan covers a path, be it there or not. */
function isScanned(listing: Listing, path: BytePath): boolean {
  const directory = listing.get(parentOf(path));
  if (!directory) return false;
  const index = directory.names.indexOf(nameOf(path));
  return index < 0 || !directory.states.isUncovered(index);
}

/**
 * Whether the scan after a change of this path might not cover it. A `.retakeignore` is the user's own word: its files are
 * never captured.
 */
function needsClaim(listing: Listing, path: BytePath): boolean {
  if (pathProblem(path) !== undefined) return false;
  const directory = listing.get(parentOf(path));
  const verdict = verdictOf(listing, path);
  if (verdict === "excluded" || isReserved(nameOf(path))) return false;
  return !directory || directory.ignoredRoot !== undefined || verdict !== "kept";
}

/** By the rules of the nearest directory that is scanned. */
function verdictOf(listing: Listing, path: BytePath): Verdict {
  const names = path.split("/");
  let at = "";
  let rules = listing.get("")?.rules;
  let strongest: Verdict = "kept";
  for (const [index, name] of names.entries()) {
    at = joinPath(at, name);
    const verdict = rules?.judge(at, name, index < names.length - 1) ?? "kept";
    if (verdict === "excluded") return verdict;
    if (verdict !== "kept") strongest = verdict;
    rules = listing.get(at)?.rules ?? rules;
  }
  return strongest;
}

type Seen = Omit<Claim, "captured">;

function lookAt({ root, limits, objects }: ClaimedPathsOptions, path: BytePath, claim: Claim | undefined): Seen {
  const stat = isBelowDirectories(root, path) ? look(root, path) : undefined;
  if (stat === undefined || (typeof stat === "object" && stat.isDirectory())) {
    return claim && claim.state === undefined ? claim : { state: undefined, numbers: undefined };
  }
  if (stat === "unreadable") return uncovered("unreadable");
  if (claim?.numbers && claim.state && looksSame({ state: claim.state, stats: claim.numbers, at: 0 }, stat))
    return claim;
  if (!stat.isFile() && !stat.isSymbolicLink()) return uncovered("special");
  if (stat.size > limits.largestFile) return uncovered("too-large");
  const now = Date.now();
  const place = diskPath(root, path);
  const read = stat.isFile() ? readFile(place, stat.size, stat.ctimeMs) : readLink(place);
  if (read.kind === "gone") return { state: undefined, numbers: undefined };
  if (read.kind !== "content") return uncovered("unreadable");
  objects.writeHashed(read.hash, read.content, claim?.state?.kind === "file" ? claim.state.hash : undefined);
  const content = { hash: read.hash, size: read.content.length, ignored: true } as const;
  const state: RecordedState = stat.isFile()
    ? { kind: "file", mode: read.stat.mode & 0o7777, ...content }
    : { kind: "link", ...content };
  return { state, numbers: read.torn || isRacy(read.stat, now) ? undefined : numbersOf(read.stat) };
}

/** A link above it would lead elsewhere, perhaps out of the workspace. */
function isBelowDirectories(root: BytePath, path: BytePath): boolean {
  for (let at = parentOf(path); at !== ""; at = parentOf(at)) {
    const stat = look(root, at);
    if (typeof stat !== "object" || !stat.isDirectory()) return false;
  }
  return true;
}

function uncovered(reason: "unreadable" | "special" | "too-large"): Seen {
  return { state: { kind: "uncovered", reason }, numbers: undefined };
}

function numbersOf(stat: Stats): Float64Array {
  const numbers = new Float64Array(NUMBERS_PER_ENTRY);
  putStat(numbers, 0, stat);
  return numbers;
}
