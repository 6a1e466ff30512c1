import type { client } from "../data/connection.ts";
import { Icon } from "../parts/icon.tsx";
import { DiffLines } from "./diff-lines.tsx";

export type DiffedFile = Awaited<ReturnType<typeof client.diffThread>>["files"][number];
export type Hunk = NonNullable<DiffedFile["hunks"]>[number];

export interface HunkActions {
  readonly onTakeBack?: ((hunk: Hunk) => void) | undefined;
  /** Its number among the hunks of the file is given too. */
  readonly onTakeOver?: ((hunk: Hunk, index: number) => void) | undefined;
  readonly onComment?: ((hunk: Hunk) => void) | undefined;
  readonly chosen?: ReadonlySet<string> | undefined;
  readonly onChoose?: ((hunk: Hunk) => void) | undefined;
}

/** A hunk within its file: the numbers of its changes. */
export function hunkKey(path: string, { edits }: Pick<Hunk, "edits">): string {
  return `${path} ${edits.join()}`;
}

/** The changed lines of one file. */
export function Hunks({ file, actions }: { readonly file: DiffedFile; readonly actions: HunkActions }) {
  if (file.binary) return <p className="text-muted px-4 py-3 text-sm">Not text, or too large to compare by lines.</p>;
  const hunks = file.hunks ?? [];
  if (hunks.length === 0) return <p className="text-muted px-4 py-3 text-sm">Only its name or its mode changed.</p>;
  return (
    <>
      {hunks.map((hunk, index) => (
        <section
          key={hunkKey(file.path, hunk)}
          data-hunk={index}
          tabIndex={-1}
          aria-label={`Hunk ${index + 1} of ${hunks.length}`}
          className="border-b border-line"
        >
          <div className="hunk-head">
            {actions.onChoose && (
              <input
                type="checkbox"
                aria-label={`Select hunk ${index + 1}`}
                checked={actions.chosen?.has(hunkKey(file.path, hunk)) ?? false}
                onChange={() => actions.onChoose?.(hunk)}
              />
            )}
            <span className="flex-1">{`lines ${hunk.new_start} to ${hunk.new_start + Math.max(hunk.new_lines, 1) - 1}`}</span>
            {actions.onComment && (
              <button type="button" className="small-button" onClick={() => actions.onComment?.(hunk)}>
                Comment
              </button>
            )}
            {actions.onTakeBack && (
              <button type="button" className="small-button strong" onClick={() => actions.onTakeBack?.(hunk)}>
                <Icon name="undo" /> Take back
              </button>
            )}
            {actions.onTakeOver && (
              <button type="button" className="small-button strong" onClick={() => actions.onTakeOver?.(hunk, index)}>
                <Icon name="branch" /> Take over
              </button>
            )}
          </div>
          <DiffLines hunk={hunk} />
        </section>
      ))}
    </>
  );
}
