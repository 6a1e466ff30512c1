import type { client } from "../data/connection.ts";
import { Icon } from "../parts/icon.tsx";
import { DiffLines, type Writers } from "./diff-lines.tsx";

export type DiffedFile = Awaited<ReturnType<typeof client.diffThread>>["files"][number];
export type Hunk = NonNullable<DiffedFile["hunks"]>[number];

export interface HunkActions {
  readonly onTakeBack?: ((hunk: Hunk) => void) | undefined;
  /** Its number among the hunks of the file is given too. */
  readonly onTakeOver?: ((hunk: Hunk, index: number) => void) | undefined;
  readonly onComment?: ((hunk: Hunk) => void) | undefined;
  /** The operations that took hunks back, by hunk. */
  readonly taken?: ReadonlyMap<string, string> | undefined;
  readonly onBringBack?: ((operation: string) => void) | undefined;
  readonly writers?: Writers | undefined;
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
        <HunkView
          key={hunkKey(file.path, hunk)}
          {...{ hunk, index, actions }}
          name={hunkKey(file.path, hunk)}
          count={hunks.length}
        />
      ))}
    </>
  );
}

function HunkView(props: {
  readonly hunk: Hunk;
  readonly name: string;
  readonly index: number;
  readonly count: number;
  readonly actions: HunkActions;
}) {
  const { hunk, name, index, count, actions } = props;
  const back = actions.taken?.get(name);
  return (
    <section
      data-hunk={index}
      tabIndex={-1}
      aria-label={`Hunk ${index + 1} of ${count}`}
      className={`border-b border-line ${back === undefined ? "" : "taken-back"}`}
    >
      <div className="hunk-head">
        {actions.onChoose && back === undefined && (
          <input
            type="checkbox"
            aria-label={`Select hunk ${index + 1}`}
            checked={actions.chosen?.has(name) ?? false}
            onChange={() => actions.onChoose?.(hunk)}
          />
        )}
        <span className="flex-1">{`lines ${hunk.new_start} to ${hunk.new_start + Math.max(hunk.new_lines, 1) - 1}`}</span>
        {back !== undefined && <span className="badge">taken back</span>}
        {actions.onComment && back === undefined && (
          <button type="button" className="small-button" onClick={() => actions.onComment?.(hunk)}>
            Comment
          </button>
        )}
        {actions.onTakeBack && back === undefined && (
          <button type="button" className="small-button strong" onClick={() => actions.onTakeBack?.(hunk)}>
            <Icon name="undo" /> Take back
          </button>
        )}
        {back !== undefined && (
          <button type="button" className="small-button strong" onClick={() => actions.onBringBack?.(back)}>
            <Icon name="redo" /> Bring back
          </button>
        )}
        {actions.onTakeOver && (
          <button type="button" className="small-button strong" onClick={() => actions.onTakeOver?.(hunk, index)}>
            <Icon name="branch" /> Take over
          </button>
        )}
      </div>
      <DiffLines hunk={hunk} writers={actions.writers} />
    </section>
  );
}
