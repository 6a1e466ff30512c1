import { callSummary, fileCount, rowsOf } from "@retake/client/screen";
import { useMemo } from "react";
import { takeBack } from "../commands/history-commands.ts";
import type { Session } from "../data/session.ts";
import { useVersion } from "../data/use-version.ts";
import { Icon } from "../parts/icon.tsx";

/** The tool calls of a turn that changed files, each with take back. */
export function CallList({
  session,
  turn,
  onShow,
}: {
  readonly session: Session;
  readonly turn: string;
  readonly onShow: (call: string) => void;
}) {
  const version = useVersion(session);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version says when the calls are other ones
  const calls = useMemo(() => {
    const { view } = session.store.value;
    return (view ? rowsOf(view, () => false) : []).flatMap((row) => {
      if (row.kind !== "call" || !row.name.startsWith(`${turn}.`)) return [];
      const { files_changed: files = [], omitted = 0 } = row.result?.receipt ?? {};
      return files.length > 0
        ? [{ name: row.name, summary: callSummary(row.call), count: fileCount(files, omitted) }]
        : [];
    });
  }, [session, version, turn]);
  // A turn of one call is taken back by the button above.
  if (calls.length < 2) return null;
  return (
    <details className="border-b border-line px-4 py-2">
      <summary className="text-xs font-medium">{`By tool call (${calls.length})`}</summary>
      <ul aria-label="Tool calls" className="mt-1">
        {calls.map(({ name, summary, count }) => (
          <li key={name} className="flex items-center gap-2 text-xs">
            <span className="text-muted font-mono">{name}</span>
            <span className="min-w-0 flex-1 truncate font-mono">{summary}</span>
            <span className="text-muted">{count}</span>
            <button
              type="button"
              className="small-button"
              aria-label={`Show only call ${name}`}
              onClick={() => onShow(name)}
            >
              Show
            </button>
            <button
              type="button"
              className="small-button strong"
              aria-label={`Take back call ${name}`}
              onClick={() => void takeBack(session.thread, { kind: "call", name })}
            >
              <Icon name="undo" /> Take back
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
