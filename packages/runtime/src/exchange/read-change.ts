import { isObject, type JsonObject } from "@retake/core";
import {
  type BytePath,
  type Change,
  pathProblem,
  type RecordedState,
  showPath,
  UNCOVERED_REASONS,
} from "@retake/workspace";
import { broken } from "./bundle-error.ts";

/** A changed path of a bundle's tree, from an untrusted source; `previous` is the path before it. */
export function readChange(line: JsonObject, previous: BytePath = ""): Change {
  const path = Buffer.from(String(line["path"]), "base64").toString("latin1");
  if (path <= previous) throw broken("the paths of a tree are not in order");
  const before = readState(path, line["before"]);
  const after = readState(path, line["after"]);
  const problem = pathProblem(path);
  // Names that may not be written are left out of captures, and recorded as such.
  const leftOut = [before, after].every((state) => state === undefined || state.kind === "uncovered");
  if (problem && !(leftOut && (problem === "git-directory" || problem === "stage")))
    throw broken(`the path '${showPath(path)}' may not be written (${problem})`);
  return { path, ...(before && { before }), ...(after && { after }) };
}

function readState(path: BytePath, state: unknown): RecordedState | undefined {
  if (state === undefined) return undefined;
  const wrong = broken(`what it says of '${showPath(path)}' is wrong`);
  if (!isObject(state)) throw wrong;
  const { kind, hash, size, mode, reason } = state;
  if (kind === "uncovered") {
    const known = UNCOVERED_REASONS.find((each) => each === reason);
    if (known === undefined) throw wrong;
    return { kind, reason: known, ...(state["inherited"] === true ? { inherited: true } : {}) };
  }
  const ignored = state["ignored"] === true ? { ignored: true as const } : {};
  if (kind !== "link" && !isCount(mode, 0o777)) throw wrong;
  if (kind === "directory") return { kind, mode: mode as number, ...ignored };
  if (typeof hash !== "string" || !/^[0-9a-f]{64}$/.test(hash) || !isCount(size, Number.MAX_SAFE_INTEGER)) throw wrong;
  if (kind === "link") return { kind, hash, size: size as number, ...ignored };
  if (kind === "file") return { kind, hash, size: size as number, mode: mode as number, ...ignored };
  throw wrong;
}

function isCount(value: unknown, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;
}
