import type { Operation } from "@retake/core";

/** Who made an operation, for a person. */
export function actorName({ actor }: Operation): string {
  if (actor.name !== undefined) return actor.name;
  return actor.kind === "user" ? "you" : actor.kind;
}
