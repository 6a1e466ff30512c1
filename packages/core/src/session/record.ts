import type { Id } from "../values/id.ts";

/**
 * All state of a thread consists of records: plain objects with an id. The id says which take it belongs to.
 *
 *   thread:title            a fact of the thread itself
 *   take:<take>             a take: its name, and whether it is deleted
 *   active:<device>         which take is active on a device
 *   save:<id>               a named save
 *   group:<version>         a change of the thread as a whole that can be taken back
 *   <take>/entry:<id>       an entry of a take's conversation
 *   <take>/setting:<field>  … and so on for everything that each take has of its own
 *
 * Records with a take before the slash form that take's *space*. A branch copies a whole space by reference; therefore
 * no record in a space names the take it lies in.
 */
export type RecordId = Id<"record">;
export type TakeId = Id<"take">;

/** The kinds of records that each take has of its own. */
export type SpaceKind =
  | "entry"
  | "setting"
  | "roles"
  | "file"
  | "context"
  | "screenshot"
  | "agent"
  | "workspace"
  | "turn"
  | "discussion"
  | "group";
/** The kinds of records that the takes of a thread share. */
export type ThreadKind = "thread" | "take" | "active" | "save" | "git" | "numbers" | "group";

export function spaceId(take: TakeId, kind: SpaceKind, key = ""): RecordId {
  return key === "" ? `${take}/${kind}` : `${take}/${kind}:${key}`;
}

export function threadId(kind: ThreadKind, key = ""): RecordId {
  return key === "" ? kind : `${kind}:${key}`;
}

/** The take whose space holds a record; undefined for a record of the thread. */
export function takeOf(id: RecordId): TakeId | undefined {
  const slash = id.indexOf("/");
  const colon = id.indexOf(":");
  // A slash after the colon belongs to the key, for example in a path.
  return slash < 0 || (colon >= 0 && colon < slash) ? undefined : id.slice(0, slash);
}

/** The part of an id that is the same in every take. */
export function localId(id: RecordId): string {
  const take = takeOf(id);
  return take === undefined ? id : id.slice(take.length + 1);
}

export function inTake(take: TakeId, local: string): RecordId {
  return `${take}/${local}`;
}

export function kindOf(id: RecordId): SpaceKind | ThreadKind {
  const local = localId(id);
  const colon = local.indexOf(":");
  return (colon < 0 ? local : local.slice(0, colon)) as SpaceKind | ThreadKind;
}

export function keyOf(id: RecordId): string {
  const local = localId(id);
  const colon = local.indexOf(":");
  return colon < 0 ? "" : local.slice(colon + 1);
}
