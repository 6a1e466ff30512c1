import { VList } from "virtua";
import type { DiffedFile } from "./hunks.tsx";

const WORDS: Readonly<Record<string, string>> = { added: "new", removed: "gone", deleted: "gone", renamed: "moved" };

/** The changed files, of which only those on the screen are drawn. */
export function FileList({
  files,
  selected,
  onSelect,
}: {
  readonly files: readonly DiffedFile[];
  readonly selected: string | undefined;
  readonly onSelect: (path: string) => void;
}) {
  return (
    <VList
      className="shrink-0 border-b border-line"
      style={{ height: `min(40%, ${files.length * 28 + 1}px)` }}
      tabIndex={-1}
      aria-label="Changed files"
    >
      {files.map(({ path, status, additions, deletions, old_path }) => (
        <button
          key={path}
          type="button"
          aria-current={path === selected ? "true" : undefined}
          title={old_path === undefined ? path : `${old_path} → ${path}`}
          className={`flex w-full items-center gap-2 h-7 px-4 text-left text-xs ${path === selected ? "bg-raised" : ""}`}
          onClick={() => onSelect(path)}
        >
          <span className="min-w-0 flex-1 truncate font-mono [direction:rtl] text-left">{`\u200e${path}`}</span>
          <span className="text-muted">{WORDS[status] ?? ""}</span>
          <span className="text-good">{`+${additions}`}</span>
          <span className="text-bad">{`−${deletions}`}</span>
        </button>
      ))}
    </VList>
  );
}
