import { DiffLines } from "../review/diff-lines.tsx";
import type { Hunk } from "../review/hunks.tsx";
import type { Use } from "./merge-hunks.ts";

const CHOICES: readonly { readonly use: Use; readonly key: string; readonly title: string }[] = [
  { use: "mine", key: "1", title: "Mine" },
  { use: "theirs", key: "2", title: "Taken back" },
  { use: "both", key: "3", title: "Both" },
];

/** The places where two sides differ. A choice for each makes the result; the keys 1, 2 and 3 choose too. */
export function Overlaps({
  path,
  overlaps,
  uses,
  onChoose,
}: {
  readonly path: string;
  readonly overlaps: readonly Hunk[];
  readonly uses: ReadonlyMap<number, Use>;
  readonly onChoose: (overlap: number, use: Use) => void;
}) {
  return (
    <ol aria-label={`Overlaps in ${path}`} className="mt-2 flex flex-col gap-2">
      {overlaps.map((overlap, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the overlaps of a plan never move
          key={index}
          onKeyDown={(event) => {
            const choice = CHOICES.find(({ key }) => key === event.key);
            if (!choice || event.ctrlKey || event.altKey || event.metaKey) return;
            event.preventDefault();
            onChoose(index, choice.use);
          }}
        >
          <fieldset className="segmented" aria-label={`Overlap ${index + 1} of ${overlaps.length}`}>
            {CHOICES.map(({ use, key, title }) => (
              <button
                key={use}
                type="button"
                aria-pressed={uses.get(index) === use}
                onClick={() => onChoose(index, use)}
              >
                {title} <kbd>{key}</kbd>
              </button>
            ))}
          </fieldset>
          <DiffLines hunk={overlap} />
        </li>
      ))}
    </ol>
  );
}
