import type { Conflict, Use } from "@retake/client/screen";
import { chooseSide, draftFor, keepDraft, resultDrafts, writeText } from "../data/result-draft.ts";
import { useStore } from "../data/store.ts";
import type { ConflictWords } from "./conflict-words.ts";
import { keepLineEnds } from "./keep-line-ends.ts";
import { mergeHunks } from "./merge-hunks.ts";
import { Overlaps } from "./overlaps.tsx";

type Side = NonNullable<Conflict["sides"]>["mine"];

const MARKERS = /^(?:<{7}|>{7}) /m;

/** The sides of a conflict, and a result that can be written by hand. Nothing is changed until the plan is applied. */
export function ConflictSides({
  conflict,
  use,
  words,
  onUse,
}: {
  readonly conflict: Conflict;
  readonly words: ConflictWords;
  readonly use: Use | undefined;
  readonly onUse: (use: Use) => void;
}) {
  const { sides, path } = conflict;
  const draft = draftFor(
    conflict,
    useStore(resultDrafts, (drafts) => drafts.get(path)),
  );
  if (!sides) return null;
  const { hunks = [] } = sides;
  const { uses, texts, shown } = draft;
  const mine = wholeText(sides.mine);
  const written = typeof use === "object" ? use.content : undefined;
  const result =
    shown === undefined ? (uses.size > 0 ? mergeHunks(mine ?? "", hunks, uses) : startOf(sides)) : texts[shown];
  return (
    <details className="text-xs">
      <summary>Show the sides</summary>
      <div className="grid gap-2 pt-2 sm:grid-cols-2">
        <SideView title="Yours now" side={sides.mine} />
        <SideView title={words.side} side={sides.theirs} />
      </div>
      <details>
        <summary>What both come from</summary>
        <SideView title="Before" side={sides.base} />
      </details>
      {result !== undefined && (
        <>
          {mine !== undefined && hunks.length > 0 && (
            <Overlaps
              {...{ path, words }}
              overlaps={hunks}
              uses={shown === undefined ? uses : new Map()}
              onChoose={(index, side) => keepDraft(chooseSide(draft, index, side))}
            />
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
            onChange={(event) => keepDraft(writeText(draft, keepLineEnds(result, event.target.value)))}
          />
          {MARKERS.test(result) && (
            <p className="text-warn">
              Both versions are in it, between conflict markers (&lt;&lt;&lt;&lt;&lt;&lt;&lt;). Used as it is, the file
              gets the markers too.
            </p>
          )}
          <div className="mt-1 flex flex-wrap gap-1">
            <button type="button" className="button" onClick={() => onUse({ content: result })}>
              {written === undefined ? "Use this result" : "Use the changed result"}
            </button>
            {texts.map((text, index) => (
              <button
                // biome-ignore lint/suspicious/noArrayIndexKey: texts are only added
                key={index}
                type="button"
                className="button"
                aria-pressed={index === shown}
                title={text.slice(0, 200)}
                onClick={() => keepDraft({ ...draft, shown: index })}
              >
                {texts.length === 1 ? "Your text" : `Your text ${index + 1}`}
              </button>
            ))}
          </div>
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

/** The text to begin a result with. */
function startOf({ merged, mine, theirs }: NonNullable<Conflict["sides"]>): string | undefined {
  const isWhole = [merged, mine, theirs].every((side) => side?.more !== true);
  return isWhole ? (fileText(merged) ?? fileText(mine) ?? fileText(theirs)) : undefined;
}

/** Only of a file that is whole: a result that is written from its beginning would cut it off. */
function wholeText(side: Side | undefined): string | undefined {
  return side?.more ? undefined : fileText(side);
}

/** Of a file that is text; of a large one, its beginning. */
function fileText(side: Side | undefined): string | undefined {
  return side?.encoding === "utf8" ? side.content : undefined;
}

function textOf(side: Side): string | undefined {
  return side?.kind === "record" ? side.content : fileText(side);
}
