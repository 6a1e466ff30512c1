/**
 * A text that names one kind of thing. A plain text is one, so that literals and stored values need no cast; the name of another
 * kind is not: a take's id is refused where an operation's is expected.
 */
export type Id<Kind extends string> = string & { readonly __kind?: Kind };
