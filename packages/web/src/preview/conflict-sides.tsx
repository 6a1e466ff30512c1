import type { TakenBack } from "@retake/client/screen";
import { useState } from "react";
import type { Resolution } from "../data/plan.ts";
import { keepLineEnds } from "./keep-line-ends.ts";
import { mergeHunks, type Use } from "./merge-hunks.ts";
import { Overlaps } from "./overlaps.tsx";

type Conflict = NonNullable<TakenBack["conflicts"]>[number];
type Side = NonNullable<Conflict["sides"]>["mine"];

const MARKERS = /^(?:<{7}|>{7}) /m;

/** The sides of a conflict, and a result that can be written by hand. Nothing is changed until the plan is applied. */
export function ConflictSides({
  conflict,
  use,
  onUse,
}: {
  readonly conflict: Conflict;
  readonly use: Resolution["use"] | undefined;
  readonly onUse: (use: Resolution["use"]) => void;
}) {
  const { sides, path } = conflict;
  const [edited, setEdited] = useState<string>();
  const [uses, setUses] = useState<ReadonlyMap<number, Use>>(new Map());
  if (!sides) return null;
  const { hunks = [] } = sides;
  const mine = wholeText(sides.mine);
  const chooseOverlap = (index: number, side: Use) => {
    const next = new Map(uses).set(index, side);
    setUses(next);
    setEdited(mergeHunks(mine ?? "", hunks, next));
  };
  const written = typeof use === "object" ? use.content : undefined;
  const isWhole = [sides.merged, sides.mine, sides.theirs].every((side) => side?.more !== true);
  const start = isWhole ? (textOf(sides.merged) ?? mine ?? textOf(sides.theirs)) : undefined;
  const result = edited ?? written ?? start;
  return (
    <details className="text-xs">
      <summary>Show the sides</summary>
      <div className="grid gap-2 pt-2 sm:grid-cols-2">
        <SideView title="Yours now" side={sides.mine} />
        <SideView title="After it is taken back" side={sides.theirs} />
      </div>
      <details>
        <summary>What both come from</summary>
        <SideView title="Before" side={sides.base} />
      </details>
      {result !== undefined && (
        <>
          {mine !== undefined && hunks.length > 0 && (
            <Overlaps path={path} overlaps={hunks} uses={uses} onChoose={chooseOverlap} />
          )}
          <label className="mt-2 block font-medium" htmlFor={`result-${path}`}>
            Result
          </label>
          <textarea
            id={`result-${path}`}
            className="field w-full py-1 font-mono text-xs"
            rows={8}
            aria-label={`Result for ${path}`}
            value={result}
            onChange={(event) => setEdited(keepLineEnds(result, event.target.value))}
          />
          {MARKERS.test(result) && (
            <p className="text-warn">
              Both versions are in it, between conflict markers (&lt;&lt;&lt;&lt;&lt;&lt;&lt;). Used as it is, the file
              gets the markers too.
            </p>
          )}
          <button type="button" className="button mt-1" onClick={() => onUse({ content: result })}>
            {written === undefined ? "Use this result" : "Use the changed result"}
          </button>
        </>
      )}
    </details>
  );
}

function SideView({ title, side }: { readonly title: string; readonly side: Side }) {
  const text = textOf(side);
  return (
    <section aria-label={title} className="min-w-0">
      <h4 className="text-muted">{title}</h4>
      {side === null && <p className="text-muted">It is not there.</p>}
      {side && text === undefined && <p className="text-muted">{`${side.kind}, ${side.size ?? 0} bytes, not text`}</p>}
      {text !== undefined && (
        <pre className="bg-surface max-h-60 overflow-auto rounded-md border border-line p-2 font-mono">
          {`${text}${side?.more ? "\n…" : ""}`}
        </pre>
      )}
    </section>
  );
}

/** Only of a file that is whole: a result that is written from its beginning would cut it off. */
function wholeText(side: Side | undefined): string | undefined {
  return side?.more ? undefined : textOf(side);
}

/** Of a file that is text; of a large one, its beginning. */
function textOf(side: Side | undefined): string | undefined {
  return side && side.encoding === "utf8" ? side.content : undefined;
}
