import { actionFor, keyName, plural } from "@retake/client/screen";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { client } from "../data/connection.ts";
import { keyStore } from "../data/key-choices.ts";
import type { Session } from "../data/session.ts";
import { useStore } from "../data/store.ts";
import { useAnswer } from "../data/use-answer.ts";
import { Failure } from "../parts/failure.tsx";
import { Icon } from "../parts/icon.tsx";
import { CallList } from "./call-list.tsx";
import type { DiffSource, Points, turnsOf } from "./diff-source.ts";
import { FileList } from "./file-list.tsx";
import { type Hunk, hunkKey } from "./hunks.tsx";
import { OpenFile } from "./open-file.tsx";
import { changeKey, seenChanges } from "./seen.ts";
import { bringBack, type ChosenHunk, canTakeBack, takeBackFiles, takeBackHunks } from "./take-back.ts";
import type { PartsBack } from "./use-taken-back.ts";

const NOTHING: Readonly<Record<DiffSource["kind"], string>> = {
  turn: "This turn changed no files.",
  call: "This call changed no files.",
  range: "These turns changed no files.",
  take: "This take has changed no files.",
  snapshot: "Nothing has changed since this snapshot.",
  working: "Your files are as the last turn left them.",
};

/** The button that takes back everything of a review. */
const ALL: Readonly<Record<DiffSource["kind"], string>> = {
  turn: "Take back the turn",
  call: "Take back the call",
  range: "Take back these turns",
  take: "Take back all turns",
  snapshot: "Restore all",
  working: "",
};

const NO_FILES: Parameters<typeof FileList>[0]["files"] = [];

/** Names and counts are read in pages of this size; the lines of a file when it is opened. */
const PAGE = 2000;
/** The first files are there at once, however many there are; the rest of the page follows. */
const FIRST = 100;
const REST_MS = 500;

export interface ReviewProps {
  readonly session: Session;
  readonly source: DiffSource;
  readonly points: Points;
  readonly version: number | undefined;
  /** The first and the last turn of it. */
  readonly span: ReturnType<typeof turnsOf>;
  /** Parts of this source that were taken back, by path or hunk; the empty text stands for all of it. */
  readonly taken: PartsBack;
  readonly onTaken: (parts: readonly string[], operation: string) => void;
  readonly onSource: (source: DiffSource) => void;
}

/** The changed files of a source and the lines of one of them, with take back on all, a file and a hunk. */
export function Review({ session, source, points, version, span, taken, onTaken, onSource }: ReviewProps) {
  const { thread } = session;
  const [limit, setLimit] = useState(FIRST);
  const [filter, setFilter] = useState("");
  const [opened, setOpened] = useState<string>();
  const [selected, setSelected] = useState<ReadonlyMap<string, ChosenHunk>>(new Map());
  const list = useAnswer(() => client.diffThread(thread, { ...points, limit }), [version, limit]);
  const more = list.answer?.cursor !== undefined;
  useEffect(() => {
    if (!more || limit >= PAGE) return;
    // After the lines of the first file, which are waited for.
    const timer = setTimeout(() => setLimit(PAGE), REST_MS);
    return () => clearTimeout(timer);
  }, [more, limit]);
  const files = useMemo(() => {
    const wanted = filter.toLowerCase();
    return (list.answer?.files ?? []).filter(({ path }) => path.toLowerCase().includes(wanted));
  }, [list.answer, filter]);
  const path = files.some((file) => file.path === opened) ? opened : files[0]?.path;
  const place = useRef<HTMLDivElement>(null);
  const can = canTakeBack(source);
  const allBack = taken.get("");
  const choose = (of: string, hunk: Hunk) =>
    setSelected((before) => {
      const next = new Map(before);
      if (!next.delete(hunkKey(of, hunk))) next.set(hunkKey(of, hunk), { path: of, edits: hunk.edits });
      return next;
    });
  const takeHunks = (hunks: ReadonlyMap<string, ChosenHunk>) => {
    const done = (operation: string) => {
      onTaken([...hunks.keys()], operation);
      setSelected((before) => new Map([...before].filter(([key]) => !hunks.has(key))));
    };
    takeBackHunks(thread, source, span, done, [...hunks.values()]);
  };
  const open = (step: 1 | -1) => setOpened(files[files.findIndex((file) => file.path === path) + step]?.path ?? path);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement && event.target.type !== "checkbox") return;
    const does = {
      "next-file": () => open(1),
      "previous-file": () => open(-1),
      "next-hunk": () => moveToHunk(place.current, 1),
      "previous-hunk": () => moveToHunk(place.current, -1),
      "take-back": () => focusedHunk()?.querySelector<HTMLButtonElement>("button:last-of-type")?.click(),
      select: focusedHunk() === document.activeElement ? () => checkboxIn(focusedHunk())?.click() : undefined,
    }[actionFor(keyName(event), "moving", keyStore.value.map) as string];
    if (!does) return;
    does();
    event.preventDefault();
    event.stopPropagation();
  };
  const total = list.answer?.total ?? 0;
  const fileBack = allBack ?? taken.get(path ?? "");
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys for the files and hunks inside, each of which has a button
    <div className="flex min-h-0 flex-1 flex-col" ref={place} onKeyDown={onKeyDown}>
      <div className="flex flex-wrap items-center gap-2 px-4 pb-2">
        <p className="text-muted min-w-32 flex-1 text-xs" data-testid="changed-count">
          {list.asking && !list.answer
            ? "Looking …"
            : total === 0
              ? NOTHING[source.kind]
              : `${total.toLocaleString("en")} changed ${total === 1 ? "file" : "files"}`}
          <SeenCount files={list.answer?.files ?? NO_FILES} />
        </p>
        {allBack !== undefined ? (
          <button type="button" className="button" onClick={() => bringBack(thread, allBack)}>
            <Icon name="redo" /> Bring back all of it
          </button>
        ) : (
          can.files &&
          total > 0 && (
            <button
              type="button"
              className="button"
              onClick={() => takeBackFiles(thread, source, span, (operation) => onTaken([""], operation))}
            >
              <Icon name="undo" /> {ALL[source.kind]}
            </button>
          )
        )}
        {selected.size > 0 && (
          <button type="button" className="button primary" onClick={() => takeHunks(selected)}>
            {`Take back ${plural(selected.size, "hunk")}`}
          </button>
        )}
      </div>
      <Failure text={list.failure} />
      {total > 1 && (
        <input
          className="field mx-4 mb-2 flex-none"
          type="search"
          aria-label="Filter files"
          placeholder="Filter by name"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      )}
      {files.length > 0 && <FileList {...{ files, taken }} selected={path} onSelect={setOpened} />}
      {more && limit >= PAGE && (
        <button type="button" className="button mx-4 my-1" onClick={() => setLimit(limit + PAGE)}>
          {`Show ${Math.min(PAGE, total - limit).toLocaleString("en")} more files`}
        </button>
      )}
      {source.kind === "turn" && (
        <CallList
          session={session}
          turn={source.turn}
          onShow={(call) => onSource({ kind: "call", turn: source.turn, call })}
        />
      )}
      {path !== undefined && (
        <OpenFile
          key={path}
          {...{ session, points, path, version }}
          onTakeBackFile={
            can.files
              ? () => takeBackFiles(thread, source, span, (operation) => onTaken([path], operation), [path])
              : undefined
          }
          onBringBackFile={fileBack === undefined ? undefined : () => bringBack(thread, fileBack)}
          actions={{
            chosen: new Set(selected.keys()),
            taken,
            onBringBack: (operation) => bringBack(thread, operation),
            ...(can.hunks
              ? {
                  onChoose: (hunk) => choose(path, hunk),
                  onTakeBack: (hunk) => takeHunks(new Map([[hunkKey(path, hunk), { path, edits: hunk.edits }]])),
                }
              : {}),
          }}
        />
      )}
    </div>
  );
}

function SeenCount({ files }: { readonly files: typeof NO_FILES }) {
  const seen = useStore(seenChanges);
  const count = useMemo(() => files.filter((file) => seen.has(changeKey(file))).length, [files, seen]);
  return count === 0 ? null : ` · ${count} seen`;
}

function checkboxIn(hunk: HTMLElement | null): HTMLElement | null {
  return hunk?.querySelector<HTMLElement>("input[type=checkbox]") ?? null;
}

function focusedHunk(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>("[data-hunk]") ?? null;
}

function moveToHunk(place: HTMLElement | null, step: number): void {
  const hunks = [...(place?.querySelectorAll<HTMLElement>("[data-hunk]") ?? [])];
  const at = hunks.indexOf(focusedHunk() as HTMLElement);
  hunks[Math.max(0, Math.min(hunks.length - 1, at + step))]?.focus();
}
