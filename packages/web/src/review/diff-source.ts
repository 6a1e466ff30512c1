/** The subject of a review: which files, from which moment to which. */
export type DiffSource =
  | { readonly kind: "turn"; readonly turn: string }
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

export interface Points {
  readonly from?: string;
  readonly to?: string;
}

/** The two moments, as the route of diffs takes them; undefined while something is not chosen. `first` is the take's first turn. */
export function pointsOf(source: DiffSource, first: string | undefined): Points | undefined {
  switch (source.kind) {
    case "turn":
      return source.turn === "" ? undefined : { from: `${source.turn}^`, to: source.turn };
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
