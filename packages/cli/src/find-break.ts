/** The result of a command on the files of a point. `unknown`: it cannot tell, and another point is tried. */
export type Verdict = "succeeds" | "fails" | "unknown";

export type Break<Point> =
  /** It succeeds at `good` and fails at `bad`; nothing that can be judged lies between them. */
  | { readonly kind: "found"; readonly good: Point; readonly bad: Point }
  /** It does the same at the first and at the last point, or cannot tell there. */
  | { readonly kind: "none"; readonly at: Point; readonly verdict: Verdict };

/** Finds where a command began to fail, in as few runs as halving needs. `points` are in the order of time. */
export async function findBreak<Point>(
  points: readonly Point[],
  judge: (point: Point) => Promise<Verdict>,
): Promise<Break<Point>> {
  const [first, last] = [points[0] as Point, points.at(-1) as Point];
  for (const [at, wanted] of [
    [last, "fails"],
    [first, "succeeds"],
  ] as const) {
    const verdict = await judge(at);
    if (verdict !== wanted) return { kind: "none", at, verdict };
  }
  let rest = points;
  while (rest.length > 2) {
    const middle = rest.length >>> 1;
    const verdict = await judge(rest[middle] as Point);
    if (verdict === "fails") rest = rest.slice(0, middle + 1);
    else rest = verdict === "succeeds" ? rest.slice(middle) : rest.toSpliced(middle, 1);
  }
  return { kind: "found", good: rest[0] as Point, bad: rest[1] as Point };
}
