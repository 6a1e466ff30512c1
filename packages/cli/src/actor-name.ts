/** The author of an operation, for a person. */
export function actorName(actor: { readonly kind: string; readonly name?: string | undefined }): string {
  if (actor.name !== undefined) return actor.name;
  return actor.kind === "user" ? "you" : actor.kind;
}
