import { plural } from "@retake/client/screen";
import type { TurnReceipt } from "@retake/core";

/** The receipt of a turn: its changes, the cover of its captures, and the effects that no undo takes back (X4, X8). */
export function Receipt({ receipt }: { readonly receipt: TurnReceipt }) {
  const { files, files_changed, ignored_changed, uncovered_changed, uncovered, effects, omitted } = receipt;
  return (
    <section className="border-t border-line px-4 py-2 text-sm" aria-label="Receipt">
      <h3 className="font-medium">Receipt</h3>
      <p className="text-muted text-xs">
        {files === 1 ? "1 file is covered." : `${plural(files, "file")} are covered.`}
      </p>
      <Paths title="Changed, and can be taken back" paths={[...new Set([...files_changed, ...ignored_changed])]} />
      <Paths title="Changed, and not covered" paths={uncovered_changed} />
      <Paths title="Cannot be taken back" paths={effects.map(({ what, tool }) => `${what} (${tool})`)} />
      <Paths title="Left out" paths={uncovered.map(({ path, reason }) => `${path}: ${reason}`)} />
      {omitted > 0 && <p className="text-muted text-xs">{`and ${omitted} more`}</p>}
    </section>
  );
}

function Paths({ title, paths }: { readonly title: string; readonly paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <>
      <h4 className="text-muted text-xs">{title}</h4>
      <ul className="font-mono text-xs wrap-anywhere">
        {[...new Set(paths)].map((path) => (
          <li key={path}>{path}</li>
        ))}
      </ul>
    </>
  );
}
