import { describe, expect, test } from "vitest";
import fc, { cases } from "../../../testing/fast-check.ts";
import { findBreak, type Verdict } from "./find-break.ts";

describe("where a command began to fail", () => {
  test("[X11] is between the last point before it where the command succeeds and the first one where it fails", async () => {
    const verdicts = fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 60 }), fc.func(fc.boolean()));
    await fc.assert(
      fc.asyncProperty(verdicts, async ([before, after, isUnknown]) => {
        const points = Array.from({ length: before + after + 2 }, (_, index) => index);
        const isEnd = (point: number) => point === 0 || point === points.length - 1;
        const verdict = (point: number): Verdict =>
          !isEnd(point) && isUnknown(point) ? "unknown" : point <= before ? "succeeds" : "fails";
        let runs = 0;
        const found = await findBreak(points, async (point) => {
          runs += 1;
          return verdict(point);
        });
        const good = points.findLast((point) => verdict(point) === "succeeds");
        const bad = points.find((point) => verdict(point) === "fails");
        expect(found).toEqual({ kind: "found", good, bad });
        const unknown = points.filter((point) => verdict(point) === "unknown").length;
        expect(runs).toBeLessThanOrEqual(2 + unknown + Math.ceil(Math.log2(points.length)));
      }),
      cases(300),
    );
  });

  test("[X11] is nowhere when the command fails from the beginning, never fails, or cannot tell", async () => {
    const always = (verdict: Verdict) => findBreak([1, 2, 3], async () => verdict);
    expect(await always("succeeds")).toEqual({ kind: "none", at: 3, verdict: "succeeds" });
    expect(await always("fails")).toEqual({ kind: "none", at: 1, verdict: "fails" });
    expect(await always("unknown")).toEqual({ kind: "none", at: 3, verdict: "unknown" });
  });
});
