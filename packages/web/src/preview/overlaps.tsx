import { DiffLines } from "../review/diff-lines.tsx";
import type { Hunk } from "../review/hunks.tsx";
import type { ConflictWords } from "./conflict-words.ts";
import type { Use } from "./merge-hunks.ts";

const CHOICES: readonly { readonly use: Use; readonly key: string }[] = [
  { use: "mine", key: "1" },
  { use: "theirs", key: "2" },
  { use: "both", key: "3" },
];

/** The places where two sides differ. A choice for each makes the result; the keys 1, 2 and 3 choose too. */
export function Overlaps({
  path,
  words,
  overlaps,
  uses,
  onChoose,
}: {
  readonly path: string;
  readonly words: ConflictWords;
  readonly overlaps: readonly Hunk[];
  readonly uses: ReadonlyMap<number, Use>;
  readonly onChoose: (overlap: number, use: Use) => void;
}) {
  const titles = { mine: "Mine", theirs: words.lines, both: "Both" };
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
            {CHOICES.map(({ use, key }) => (
              <button
                key={use}
                type="button"
                aria-pressed={uses.get(index) === use}
                onClick={() => onChoose(index, use)}
              >
                {titles[use]} <kbd>{key}</kbd>
              </button>
            ))}
          </fieldset>
          <DiffLines hunk={overlap} />
        </li>
      ))}
    </ol>
  );
}
