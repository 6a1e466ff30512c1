import { memo } from "react";
import { useStore } from "../data/store.ts";
import { Icon } from "../parts/icon.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import type { DiffedFile } from "./hunks.tsx";
import { isImage } from "./image-sides.tsx";
import { changeKey, seenChanges } from "./seen.ts";
import type { PartsBack } from "./use-taken-back.ts";

const WORDS: Readonly<Record<string, string>> = { added: "new", removed: "gone", deleted: "gone", renamed: "moved" };

/** The changed files, of which only those on the screen are drawn. */
export function FileList({
  files,
  selected,
  taken,
  onSelect,
}: {
  readonly files: readonly DiffedFile[];
  readonly selected: string | undefined;
  readonly taken: PartsBack;
  readonly onSelect: (path: string) => void;
}) {
  const seen = useStore(seenChanges);
  return (
    <VirtualList
      role="group"
      label="Changed files"
      className="shrink-0 border-b border-line"
      style={{ height: `min(40%, ${files.length * 28 + 1}px)` }}
      tabIndex={-1}
      data={files}
    >
      {(file) => (
        <FileRow
          key={file.path}
          file={file}
          isSelected={file.path === selected}
          isSeen={seen.has(changeKey(file))}
          isBack={taken.has("") || taken.has(file.path)}
          onSelect={onSelect}
        />
      )}
    </VirtualList>
  );
}

const FileRow = memo(function FileRow(props: {
  readonly file: DiffedFile;
  readonly isSelected: boolean;
  readonly isSeen: boolean;
  readonly isBack: boolean;
  readonly onSelect: (path: string) => void;
}) {
  const { path, status, additions, deletions, binary, old_path } = props.file;
  const { isSelected, isSeen, isBack } = props;
  const tone = isBack ? "text-muted line-through" : isSeen ? "text-muted" : "";
  return (
    <button
      type="button"
      aria-current={isSelected ? "true" : undefined}
      title={old_path === undefined ? path : `${old_path} → ${path}`}
      className={`flex h-7 w-full items-center gap-2 px-4 text-left text-xs ${isSelected ? "bg-raised" : ""}`}
      onClick={() => props.onSelect(path)}
    >
      {isSeen && <Icon name="check" className="text-good -ml-1" />}
      {/* Cut off at its beginning. Without a direction of its own, a name in Hebrew or Arabic would change places with its folders. */}
      <span className={`min-w-0 flex-1 truncate text-left font-mono [direction:rtl] ${tone}`}>
        <bdi dir="ltr">{path}</bdi>
      </span>
      {isSeen && <span className="sr-only">seen</span>}
      {isBack && <span className="text-muted">taken back</span>}
      <span className="text-muted">{WORDS[status] ?? ""}</span>
      {binary ? (
        <span className="text-muted">{isImage(path) ? "image" : "not text"}</span>
      ) : (
        <>
          {additions > 0 && <span className="text-good">{`+${additions}`}</span>}
          {deletions > 0 && <span className="text-bad">{`−${deletions}`}</span>}
        </>
      )}
    </button>
  );
});
