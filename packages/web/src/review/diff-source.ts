/** The subject of a review: which files, from which moment to which. */
export type DiffSource =
  | { readonly kind: "turn"; readonly turn: string }
  | { readonly kind: "call"; readonly turn: string; readonly call: string }
  | { readonly kind: "range"; readonly from: string; readonly to: string }
  | { readonly kind: "take" }
  | { readonly kind: "snapshot"; readonly snapshot: string }
  | { readonly kind: "working" };

export const SOURCES: readonly { readonly kind: DiffSource["kind"]; readonly title: string }[] = [
  { kind: "turn", title: "One turn" },
  { kind: "range", title: "Several turns" },
  { kind: "take", title: "This take since it began" },
  { kind: "snapshot", title: "Since a snapshot" },
  { kind: "working", title: "Your files since the last turn" },
];

/** The first and the last turn that a review is about; undefined where it is about none. `all` are the turns of the take. */
export function turnsOf(
  source: DiffSource,
  all: readonly { readonly name?: string | undefined }[],
): readonly [string, string] | undefined {
  const [first, last] = [all[0]?.name, all.at(-1)?.name];
  if (source.kind === "turn") return [source.turn, source.turn];
  if (source.kind === "range") return [source.from, source.to];
  return source.kind === "take" && first !== undefined && last !== undefined ? [first, last] : undefined;
}

export interface Points {
  readonly from?: string;
  readonly to?: string;
}

/** The two moments, as the route of diffs takes them; undefined while something is not chosen. `first` is the take's first turn. */
export function pointsOf(source: DiffSource, first: string | undefined): Points | undefined {
  switch (source.kind) {
    case "turn":
      return source.turn === "" ? undefined : { from: `${source.turn}^`, to: source.turn };
    case "call":
      return { from: `${source.call}^`, to: source.call };
    case "range":
      return source.from === "" || source.to === "" ? undefined : { from: `${source.from}^`, to: source.to };
    case "take":
      return first === undefined ? undefined : { from: `${first}^`, to: "now" };
    case "snapshot":
      return source.snapshot === "" ? undefined : { from: source.snapshot, to: "now" };
    case "working":
      return {};
  }
}
