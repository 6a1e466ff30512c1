import { quoted, type Refusal, refuse } from "@retake/core";

export type ThingKind =
  | "turn"
  | "entry"
  | "call"
  | "operation"
  | "point"
  | "take"
  | "thread"
  | "thread or take"
  | "snapshot"
  | "turn, call or operation";

/** Refuses an unknown name, and names the nearest ones. `where` ends the sentence: `in this take`. */
export function notFound(kind: ThingKind, asked: string, where: string, near: readonly string[] = []): Refusal {
  const said = near.length === 0 ? "" : ` Near it: ${near.join(", ")}.`;
  return refuse("not-found", `There is no ${kind} ${quoted(asked)} ${where}.${said}`, { kind, asked, near: [...near] });
}

/** Several things are called so, and guessing would change the wrong one. */
export function ambiguous(kind: ThingKind, asked: string, meant: readonly string[]): Refusal {
  const said = `${quoted(asked)} could be any of these: ${meant.join(", ")}. Say which; nothing was changed.`;
  return refuse("ambiguous", said, { kind, asked, near: [...meant] });
}

/** The nearest names in a refusal. */
export function nearIn({ details }: Refusal): string[] {
  const near = details?.["near"];
  return Array.isArray(near) ? near.map(String) : [];
}
